import { BulkheadFull } from "./bulkhead.ts";
import { makeRecentUse } from "./recent-use.ts";

/** Limits how many tasks run at once, in total and per owner. Waiting tasks start in turn by owner. */
export type FairQueue = {
  run<Result>(owner: string, work: () => Promise<Result>): Promise<Result>;
  /** The number of tasks that run and that wait. */
  counts(): { running: number; queued: number };
};

export type FairQueueLimits = {
  maxRunning: number;
  maxRunningPerOwner: number;
  /**
   * An owner with running tasks starts another only while at least as many places stay free as it has: few owners, whatever
   * their tasks, always leave a place to an owner that has none.
   */
  leavesRoom?: true;
  /** This many places are left to owners that run nothing and have used places for at most about `burstMs` lately. */
  reserved?: number;
  burstMs?: number;
  maxQueued: number;
  maxQueuedPerOwner: number;
  /** A task that did not start by then is rejected. */
  maxWaitMs: number;
};

type Waiting = { start(): void; reject(error: Error): void };

/**
 * Throws `OwnerBusy` if the owner has too many tasks, and `BulkheadFull` if all owners together have: when the queue is full, the
 * last task of the longest line makes room for an owner with a shorter one.
 */
export function makeFairQueue(limits: FairQueueLimits): FairQueue {
  const running = new Map<string, number>();
  /** In the order of their turns: an owner whose task starts moves to the end. */
  const waiting = new Map<string, Waiting[]>();
  const recentUse = makeRecentUse(limits.burstMs ?? 0);
  let runningNow = 0;
  let queuedNow = 0;
  const runningOf = (owner: string) => running.get(owner) ?? 0;
  const canStart = (owner: string) => {
    const own = runningOf(owner);
    const free = limits.maxRunning - runningNow;
    if (free <= 0 || own >= limits.maxRunningPerOwner) return false;
    if (limits.leavesRoom && own >= free) return false;
    return free > (limits.reserved ?? 0) || (own === 0 && !recentUse.isMuch(owner));
  };
  const begin = (owner: string) => {
    running.set(owner, runningOf(owner) + 1);
    runningNow += 1;
  };

  function enter(owner: string): Promise<void> | undefined {
    if (canStart(owner)) {
      begin(owner);
      return undefined;
    }
    const queue = waiting.get(owner) ?? [];
    if (queue.length >= limits.maxQueuedPerOwner) throw new OwnerBusy();
    if (queuedNow >= limits.maxQueued && !shortenLongestLine(queue.length + 1))
      throw queue.length > 0 ? new OwnerBusy() : new BulkheadFull();
    waiting.set(owner, queue);
    return waitInLine(owner, queue);
  }

  function waitInLine(owner: string, line: Waiting[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        remove(owner, line, entry);
        settle();
      };
      const entry: Waiting = {
        start: () => end(resolve),
        reject: (error) => end(() => reject(error)),
      };
      // An owner without a running task waited for others.
      const timer = setTimeout(
        () => entry.reject(running.has(owner) ? new OwnerBusy() : new BulkheadFull()),
        limits.maxWaitMs,
      );
      line.push(entry);
      queuedNow += 1;
    });
  }

  /** Rejects the last task of the longest line if it is longer than `length`. */
  function shortenLongestLine(length: number): boolean {
    const longest = [...waiting.values()].reduce<Waiting[]>((a, b) => (b.length > a.length ? b : a), []);
    if (longest.length <= length) return false;
    longest.at(-1)?.reject(new OwnerBusy());
    return true;
  }

  function remove(owner: string, line: Waiting[], entry: Waiting): void {
    line.splice(line.indexOf(entry), 1);
    queuedNow -= 1;
    if (line.length === 0) waiting.delete(owner);
  }

  function leave(owner: string): void {
    const left = runningOf(owner) - 1;
    if (left > 0) running.set(owner, left);
    else running.delete(owner);
    runningNow -= 1;
    startNext();
  }

  /** Starts a task of the owner who runs fewest, of those the first in turn. A released place admits at most one. */
  function startNext(): void {
    let owner: string | undefined;
    for (const other of waiting.keys())
      if (canStart(other) && (owner === undefined || runningOf(other) < runningOf(owner))) owner = other;
    const line = waiting.get(owner ?? "");
    const next = line?.[0];
    if (owner === undefined || !line || !next) return;
    begin(owner);
    next.start();
    if (waiting.delete(owner)) waiting.set(owner, line);
  }

  return {
    counts: () => ({ running: runningNow, queued: queuedNow }),
    async run(owner, work) {
      await enter(owner);
      const startedMs = performance.now();
      try {
        return await work();
      } finally {
        if (limits.reserved) recentUse.add(owner, performance.now() - startedMs);
        leave(owner);
      }
    },
  };
}

/** The owner has too many tasks that run and wait. Others are not affected. Retrying later is safe: the task did not start. */
export class OwnerBusy extends Error {
  override name = "OwnerBusy";

  constructor() {
    super("Too many tasks of this owner are running and waiting. Try again in a moment.");
  }
}
