import { createHmac, timingSafeEqual } from "node:crypto";

/** The tolerated difference between the timestamp of a signature and our clock. */
const toleranceSeconds = 300;

type Signed = { bytes: Buffer; header: string | string[] | undefined; secrets: string[]; now: Date };

/**
 * Verifies a Stripe signature and its timestamp. Unlike Stripe's own library it also rejects timestamps in the
 * future, which would make a signature valid for ever.
 */
export function isSignedByStripe({ bytes, header, secrets, now }: Signed): boolean {
  const parsed = typeof header === "string" ? parseHeader(header) : undefined;
  if (!parsed) return false;
  if (Math.abs(Math.floor(now.getTime() / 1000) - Number(parsed.time)) > toleranceSeconds) return false;
  const expected = secrets.map((secret) =>
    createHmac("sha256", secret).update(`${parsed.time}.`).update(bytes).digest(),
  );
  // Compares every pair, so that the time reveals nothing.
  const matches = expected.flatMap((signature) =>
    parsed.signatures.map((given) => timingSafeEqual(signature, given)),
  );
  return matches.includes(true);
}

/** Parses `t=<seconds>,v1=<hex>` with one or more signatures. Other schemes are ignored. */
function parseHeader(header: string): { time: string; signatures: Buffer[] } | undefined {
  const parts = header.split(",").map((part) => /^([a-z]\w*)=(\w+)$/.exec(part));
  if (parts.includes(null) || parts.length > 20) return undefined;
  const valuesOf = (name: string) => parts.flatMap((part) => (part?.[1] === name ? (part[2] ?? "") : []));
  const [time = "", ...moreTimes] = valuesOf("t");
  if (!/^\d{1,12}$/.test(time) || moreTimes.length > 0) return undefined;
  const signatures = valuesOf("v1").filter((value) => /^[0-9a-f]{64}$/.test(value));
  return { time, signatures: signatures.map((value) => Buffer.from(value, "hex")) };
}
