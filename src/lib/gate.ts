import { AppError } from "./errors.ts";

/** Lets a few pieces of work run at once, a bounded number wait their turn, and turns the rest away. */
export type Gate = { run<T>(work: () => Promise<T>): Promise<T> };

/** Makes a gate; a caller beyond `atOnce` running and `waiting` queued gets `unavailable` at once. */
export function makeGate({ atOnce, waiting }: { atOnce: number; waiting: number }): Gate {
  const queue: (() => void)[] = [];
  let running = 0;

  async function enter(): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (queue.length >= waiting) throw new AppError("unavailable", busy, { retryAfterSeconds: 1 });
    await new Promise<void>((resolve) => queue.push(resolve));
  }

  // The place of one who leaves goes straight to the next in line, so that nobody can slip in between.
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

const busy = "The service is busy. Try again in a moment.";
