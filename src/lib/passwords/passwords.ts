import { hash, parseOptions, verify } from "@node-rs/argon2";
import { makeBulkhead } from "../concurrency/bulkhead.ts";
import { normalizePassword } from "./password-rule.ts";

// A hash takes 19 MiB and a core, so that only a few run at once.
const bulkhead = makeBulkhead({ maxConcurrent: 2, maxQueued: 100 });

// Argon2id (2), version 1.3 (1), with OWASP's smallest recommended cost. The library's enums cannot be imported.
const cost = { algorithm: 2, version: 1, memoryCost: 19456, timeCost: 2, parallelism: 1 } as const;

/** The hash to verify without an account, so that the response time is the same. No password has this hash. */
const unknownAccountHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** The hash to store for a password. */
export function hashPassword(password: string): Promise<string> {
  return bulkhead.run(() => hash(normalizePassword(password), cost));
}

/** Verifies a password. Without a hash it returns false after the same work. */
export async function verifyPassword(hashed: string | undefined, password: string): Promise<boolean> {
  const isMatch = await bulkhead.run(() => verify(hashed ?? unknownAccountHash, normalizePassword(password)));
  return isMatch && hashed !== undefined;
}

/** True when a hash has other cost parameters than the current ones and should be replaced at the next log-in. */
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
