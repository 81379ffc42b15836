import { hash, parseOptions, verify } from "@node-rs/argon2";
import { makeBulkhead } from "../bulkhead.ts";
import { normalizePassword } from "./password-rule.ts";

// Each hash takes 19 MiB and a core for a while; more at once would starve everything else.
const bulkhead = makeBulkhead({ maxConcurrent: 2, maxQueued: 100 });

// Argon2id (2), version 1.3 (1), with OWASP's smallest recommended cost. The library's enums cannot be imported.
const cost = { algorithm: 2, version: 1, memoryCost: 19456, timeCost: 2, parallelism: 1 } as const;

/** Verified when there is no account, so that the answer takes as long. No password has this hash. */
const nobody = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** The hash to store for a password. */
export function hashPassword(password: string): Promise<string> {
  return bulkhead.run(() => hash(normalizePassword(password), cost));
}

/** Whether the password is the one hashed; without a hash it is false, after the same work. */
export async function verifyPassword(hashed: string | undefined, password: string): Promise<boolean> {
  const isRight = await bulkhead.run(() => verify(hashed ?? nobody, normalizePassword(password)));
  return isRight && hashed !== undefined;
}

/** Whether a hash was made at another cost than today's, and should be made anew at the next log-in. */
export function needsRehash(hashed: string): boolean {
  const made = parseOptions(hashed);
  return (
    made.algorithm !== cost.algorithm ||
    made.version !== cost.version ||
    made.memoryCost !== cost.memoryCost ||
    made.timeCost !== cost.timeCost ||
    made.parallelism !== cost.parallelism
  );
}
