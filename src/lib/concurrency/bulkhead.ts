/** Limits how many tasks run at once. A bounded number waits in a queue; the rest is rejected. */
export type Bulkhead = { run<T>(work: () => Promise<T>): Promise<T> };

/** Throws `BulkheadFull` when `maxConcurrent` tasks run and `maxQueued` wait. */
export function makeBulkhead({
  maxConcurrent,
  maxQueued,
}: {
  maxConcurrent: number;
  maxQueued: number;
}): Bulkhead {
  const queue: (() => void)[] = [];
  let running = 0;

  async function enter(): Promise<void> {
    if (running < maxConcurrent) {
      running += 1;
      return;
    }
    if (queue.length >= maxQueued) throw new BulkheadFull();
    await new Promise<void>((resolve) => queue.push(resolve));
  }

  // A released slot passes directly to the next task in the queue, so that no later caller can overtake it.
  function leave(): void {
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  }

  return {
    async run(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

/** The queue is full. Retrying a moment later is safe: the task did not start. */
export class BulkheadFull extends Error {
  override name = "BulkheadFull";
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds = 1, options?: ErrorOptions) {
    super("Too many tasks are running and waiting. Try again in a moment.", options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
