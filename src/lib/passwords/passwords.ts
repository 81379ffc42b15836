import { hash, verify } from "@node-rs/argon2";
import { throwIfAbandoned } from "../concurrency/abandonment.ts";
import { BulkheadFull } from "../concurrency/bulkhead.ts";
import { makeFairQueue, OwnerBusy } from "../concurrency/fair-queue.ts";
import { normalizePassword } from "./password-rule.ts";

/**
 * Hashes and verifies passwords, a few at once. The owner of the work is the address that it is done for: addresses have turns.
 * Throws `BulkheadFull` if the work cannot start in time.
 */
export type Passwords = {
  /** The hash to store for a password. */
  hash(owner: string, password: string): Promise<string>;
  /** Verifies a password. Without a hash it returns false after the same work. */
  verify(owner: string, hashed: string | undefined, password: string): Promise<boolean>;
};

/** What a hash costs: memory in KiB, and passes over it. */
type HashCost = { memoryCost: number; timeCost: number };

/** OWASP's smallest recommended cost. */
const recommendedCost: HashCost = { memoryCost: 19456, timeCost: 2 };

// Argon2id (2), version 1.3 (1). The library's enums cannot be imported.
const algorithm = { algorithm: 2, version: 1, parallelism: 1 } as const;

/** A hash takes 19 MiB and a core. Waiting costs little, so that an address and all together may wait for long. */
const queueLimits = { maxQueued: 2_000, maxQueuedPerOwner: 100, maxWaitMs: 20_000 };
const retryAfterSeconds = 5;

/** New passwords have a queue of their own, so that a flood of sign-ups delays no log-in. */
export function makePasswords(
  limits: Partial<typeof queueLimits> = {},
  cost: HashCost = recommendedCost,
): Passwords {
  const hashing = makeTurns(1, { ...queueLimits, ...limits });
  const verifying = makeTurns(2, { ...queueLimits, ...limits });
  return {
    hash: (owner, password) =>
      hashing(owner, () => hash(normalizePassword(password), { ...algorithm, ...cost })),
    async verify(owner, hashed, password) {
      const normalized = normalizePassword(password);
      const isMatch = await verifying(owner, () => verify(hashed ?? unknownAccountHash(cost), normalized));
      return isMatch && hashed !== undefined;
    },
  };
}

/** The hash to verify without an account, so that the response time is the same. No password has this hash. */
function unknownAccountHash({ memoryCost, timeCost }: HashCost): string {
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${"A".repeat(22)}$${"A".repeat(43)}`;
}

type Turns = <Result>(owner: string, work: () => Promise<Result>) => Promise<Result>;

function makeTurns(maxRunning: number, limits: typeof queueLimits): Turns {
  const queue = makeFairQueue({ ...limits, maxRunning, maxRunningPerOwner: maxRunning });
  return async (owner, work) => {
    try {
      return await queue.run(owner, async () => {
        throwIfAbandoned();
        return await work();
      });
    } catch (error) {
      // A caller without an account has no share of its own: who tries too much is not distinguished from a busy service.
      if (error instanceof OwnerBusy || error instanceof BulkheadFull)
        throw new BulkheadFull(retryAfterSeconds, { cause: error });
      throw error;
    }
  };
}
