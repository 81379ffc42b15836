import { createHmac } from "node:crypto";

/** The headers by which a receiver knows who sent a body, when, and whether it is a repeat (Standard Webhooks 1.0). */
export function signature(of: { id: string; at: Date; body: string; key: Buffer }): Record<string, string> {
  const timestamp = String(Math.floor(of.at.getTime() / 1000));
  const code = createHmac("sha256", of.key).update(`${of.id}.${timestamp}.${of.body}`).digest("base64");
  return { "webhook-id": of.id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${code}` };
}

const prefix = "whsec_";

/** The key in a secret; null when it is no secret of the right form and length. */
export function secretKey(secret: string): Buffer | null {
  if (!/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(secret)) return null;
  const text = secret.slice(prefix.length);
  const key = Buffer.from(text, "base64");
  const isWhole = key.toString("base64").replace(/=+$/, "") === text.replace(/=+$/, "");
  return isWhole && key.length >= 24 && key.length <= 64 ? key : null;
}

export function makeSecret(randomBytes: (length: number) => Buffer): string {
  return `${prefix}${randomBytes(32).toString("base64")}`;
}
