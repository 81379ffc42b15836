import type { FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { addressGroup } from "../../domain/accounts/throttle.ts";
import { BulkheadFull } from "../../lib/concurrency/bulkhead.ts";
import { makeFairQueue, OwnerBusy } from "../../lib/concurrency/fair-queue.ts";
import { maxStatementMs } from "../../lib/postgres/max-statement-ms.ts";

/** Runs the authentication of a request when its address has its turn. */
export type InTurn = <Result>(request: FastifyRequest, work: () => Promise<Result>) => Promise<Result>;

/** What all addresses together get of the database connections of the process. */
const addressShare = 0.3;

/**
 * Sessions and keys are looked up outside the budget of an org, which is not known yet. A flood from a few addresses must leave
 * connections to others.
 */
export function makeAuthenticationQueue({ pool }: App): InTurn {
  const max = Math.max(2, Math.floor((pool.options.max ?? 10) * addressShare));
  const queue = makeFairQueue({
    maxRunning: max,
    maxRunningPerOwner: max,
    leavesRoom: true,
    reserved: 1,
    burstMs: 2_000,
    maxQueued: 10_000,
    maxQueuedPerOwner: 2_000,
    maxWaitMs: maxStatementMs(pool),
  });
  return (request, work) =>
    queue.run(groupOf(request.ip), work).catch((error: unknown) => {
      // The owner is an address, whose organisations may have little to do with it.
      throw error instanceof OwnerBusy ? new BulkheadFull() : error;
    });
}

/** The addresses that share a budget with an address. */
export function groupOf(ip: string | null): string {
  return addressGroup(ip) || "unknown";
}
