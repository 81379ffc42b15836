import { LRUCache } from "lru-cache";
import { onFirstUse } from "../../lib/caching/on-first-use.ts";
import type { Clock } from "../../lib/clock.ts";
import { makeFairQueue } from "../../lib/concurrency/fair-queue.ts";

/** Runs a read when its owner has its turn. `read` returns the length of the reply. */
export type InReadingTurn = (owner: string, read: () => Promise<number>) => Promise<void>;

/** What owners may read continuously, in characters: building it takes about a third of the time of the event loop. */
const lengthPerSecond = 3 * 1024 * 1024;
/** What an owner may read at once, such as the lists of a page of the dashboard. */
const burstLength = 6 * 1024 * 1024;

/**
 * For operations whose replies can be large. They are built on the event loop, which all callers share: an owner reads two at a
 * time, and one that reads much waits in proportion to the length and to the number of owners that do. Others do not wait.
 */
export function makeReadingQueue(clock: Clock): InReadingTurn {
  const queue = makeFairQueue({
    maxRunning: Number.POSITIVE_INFINITY,
    maxRunningPerOwner: 2,
    maxQueued: 10_000,
    maxQueuedPerOwner: 200,
    maxWaitMs: 10_000,
  });
  const pauseMs = makePauses();
  /** The pauses of each owner that waits after a reply. */
  const pausing = new Map<string, number>();
  const pause = async (owner: string, ms: number) => {
    pausing.set(owner, (pausing.get(owner) ?? 0) + 1);
    await clock.sleep(ms * pausing.size);
    const left = (pausing.get(owner) ?? 1) - 1;
    if (left > 0) pausing.set(owner, left);
    else pausing.delete(owner);
  };
  return (owner, read) =>
    new Promise((resolve, reject) => {
      const occupy = async () => {
        const length = await read();
        // The reply does not wait until the place is free again.
        resolve();
        const ms = pauseMs(owner, length);
        if (ms > 0) await pause(owner, ms);
      };
      queue.run(owner, occupy).catch(reject);
    });
}

/** Returns how long an owner has to wait after a reply, by what it has read lately. */
function makePauses(): (owner: string, length: number) => number {
  const openRead = onFirstUse(() => new LRUCache<string, { length: number; atMs: number }>({ max: 10_000 }));
  return (owner, length) => {
    const read = openRead();
    const atMs = performance.now();
    const before = read.get(owner) ?? { length: 0, atMs };
    const left = Math.max(0, before.length - ((atMs - before.atMs) / 1000) * lengthPerSecond);
    read.set(owner, { length: left + length, atMs });
    return (Math.max(0, left + length - burstLength) / lengthPerSecond) * 1000;
  };
}
