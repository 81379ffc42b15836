import { createHmac } from "node:crypto";

/** Returns the signature headers of a message by Standard Webhooks 1.0. */
export function signature(message: {
  id: string;
  at: Date;
  body: string;
  key: Buffer;
}): Record<string, string> {
  const timestamp = String(Math.floor(message.at.getTime() / 1000));
  const code = createHmac("sha256", message.key)
    .update(`${message.id}.${timestamp}.${message.body}`)
    .digest("base64");
  return { "webhook-id": message.id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${code}` };
}

const prefix = "whsec_";

/** Returns the key in a secret; null when its format or length is invalid. */
export function secretKey(secret: string): Buffer | null {
  if (!/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(secret)) return null;
  const text = secret.slice(prefix.length);
  const key = Buffer.from(text, "base64");
  const isCanonical = key.toString("base64").replace(/=+$/, "") === text.replace(/=+$/, "");
  return isCanonical && key.length >= 24 && key.length <= 64 ? key : null;
}

export function makeSecret(randomBytes: (length: number) => Buffer): string {
  return `${prefix}${randomBytes(32).toString("base64")}`;
}
