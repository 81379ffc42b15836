import { BulkheadFull } from "./bulkhead.ts";

/** Limits how many tasks run at once, in total and per owner. Waiting tasks start in turn by owner. */
export type FairQueue = {
  run<Result>(owner: string, work: () => Promise<Result>): Promise<Result>;
  /** The number of tasks that run and that wait. */
  counts(): { running: number; queued: number };
};

export type FairQueueLimits = {
  maxRunning: number;
  maxRunningPerOwner: number;
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
  let runningNow = 0;
  let queuedNow = 0;
  const canStart = (owner: string) =>
    runningNow < limits.maxRunning && (running.get(owner) ?? 0) < limits.maxRunningPerOwner;
  const begin = (owner: string) => {
    running.set(owner, (running.get(owner) ?? 0) + 1);
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
    const left = (running.get(owner) ?? 1) - 1;
    if (left > 0) running.set(owner, left);
    else running.delete(owner);
    runningNow -= 1;
    startNext();
  }

  /** Starts the first task of the first owner who may run one. A released place admits at most one. */
  function startNext(): void {
    const owner = [...waiting.keys()].find(canStart);
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
      try {
        return await work();
      } finally {
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
