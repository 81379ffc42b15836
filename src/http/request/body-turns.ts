import type { FastifyRequest } from "fastify";
import type { Clock } from "../../lib/clock.ts";
import { makeFairQueue } from "../../lib/concurrency/fair-queue.ts";

/** A smaller body takes less time than an ordinary request. */
const minLargeBytes = 64 * 1024;
/** The pause after a large body, relative to the time that it took. */
const pauseFactor = 3;

const owners = new WeakMap<FastifyRequest, string>();

/** Sets whose turn the body of a request uses, once the caller is known. */
export function setBodyOwner(request: FastifyRequest, owner: string): void {
  owners.set(request, owner);
}

/**
 * Makes a function that parses bodies. Large ones are parsed one at a time, in turn by owner and with a pause after each, so
 * that they use at most a quarter of the event loop, however many one org sends.
 */
export function makeBodyTurns(clock: Clock) {
  const turns = makeFairQueue({
    maxRunning: 1,
    maxRunningPerOwner: 1,
    maxQueued: 500,
    maxQueuedPerOwner: 20,
    maxWaitMs: 4_000,
  });
  return async <Result>(request: FastifyRequest, body: Uint8Array, parse: () => Result): Promise<Result> => {
    if (body.length < minLargeBytes) return parse();
    const parsed = Promise.withResolvers<Result>();
    const turn = turns.run(owners.get(request) ?? request.ip, async () => {
      const startedAt = performance.now();
      try {
        parsed.resolve(parse());
      } catch (error) {
        parsed.reject(error);
      }
      await clock.sleep((performance.now() - startedAt) * pauseFactor);
    });
    turn.catch(parsed.reject);
    return parsed.promise;
  };
}
