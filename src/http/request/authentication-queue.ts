import type { FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { addressGroup } from "../../domain/accounts/throttle.ts";
import { makeFairQueue } from "../../lib/concurrency/fair-queue.ts";

/** Runs the authentication of a request when its address has its turn. */
export type InTurn = <Result>(request: FastifyRequest, work: () => Promise<Result>) => Promise<Result>;

/**
 * Sessions and keys are looked up outside the budget of an org, which is not known yet. A flood from one address must leave
 * connections to others.
 */
export function makeAuthenticationQueue({ pool }: App): InTurn {
  const queue = makeFairQueue({
    maxRunning: Number.POSITIVE_INFINITY,
    maxRunningPerOwner: Math.max(2, Math.floor((pool.options.max ?? 10) * 0.4)),
    maxQueued: 10_000,
    maxQueuedPerOwner: 2_000,
    maxWaitMs: 4_000,
  });
  return (request, work) => queue.run(groupOf(request.ip), work);
}

/** The addresses that share a budget with an address. */
export function groupOf(ip: string | null): string {
  return addressGroup(ip) || "unknown";
}
