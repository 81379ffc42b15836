import { createHmac, timingSafeEqual } from "node:crypto";

/** How far the time of a signature may be from ours, either way. */
const toleranceSeconds = 300;

type Signed = { bytes: Buffer; header: string | string[] | undefined; secrets: string[]; now: Date };

/**
 * Whether Stripe signed these bytes with one of the secrets within the last minutes. Unlike Stripe's own check it also
 * refuses a time in the future, which would make a signature last for ever.
 */
export function isSignedByStripe({ bytes, header, secrets, now }: Signed): boolean {
  const parsed = typeof header === "string" ? parseHeader(header) : undefined;
  if (!parsed) return false;
  if (Math.abs(Math.floor(now.getTime() / 1000) - Number(parsed.time)) > toleranceSeconds) return false;
  const expected = secrets.map((secret) =>
    createHmac("sha256", secret).update(`${parsed.time}.`).update(bytes).digest(),
  );
  // Every pair is compared, so that the time it takes tells nothing.
  const matches = expected.flatMap((one) => parsed.signatures.map((given) => timingSafeEqual(one, given)));
  return matches.includes(true);
}

/** `t=<seconds>,v1=<hex>`, with as many signatures as there are secrets at the sender; other schemes are left alone. */
function parseHeader(header: string): { time: string; signatures: Buffer[] } | undefined {
  const parts = header.split(",").map((part) => /^([a-z]\w*)=(\w+)$/.exec(part));
  if (parts.includes(null) || parts.length > 20) return undefined;
  const valuesOf = (name: string) => parts.flatMap((part) => (part?.[1] === name ? (part[2] ?? "") : []));
  const [time = "", ...moreTimes] = valuesOf("t");
  if (!/^\d{1,12}$/.test(time) || moreTimes.length > 0) return undefined;
  const signatures = valuesOf("v1").filter((value) => /^[0-9a-f]{64}$/.test(value));
  return { time, signatures: signatures.map((value) => Buffer.from(value, "hex")) };
}
