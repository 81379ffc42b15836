import type { Clock } from "../../../lib/clock.ts";

/** What one address of a round has come to. */
export type Outcome = "pending" | "done" | { error: unknown };

/** A round does not wait longer than this for addresses that make no progress while others have been listed. */
const stallMs = 3_000;

/**
 * Waits until all tasks have settled. Once one has succeeded, the others are waited for only as long as some of them settle
 * now and then: a task that hangs delays nobody.
 */
export async function waitForRound(clock: Clock, tasks: readonly Promise<Outcome>[]): Promise<void> {
  let open = tasks.length;
  let hasSucceeded = false;
  let lastSettledMs = clock.now().getTime();
  const ended = new AbortController();
  let settled = new AbortController();
  for (const task of tasks) {
    void task.then((outcome) => {
      open -= 1;
      hasSucceeded ||= outcome === "done";
      lastSettledMs = clock.now().getTime();
      if (open === 0) ended.abort();
      settled.abort();
      settled = new AbortController();
    });
  }
  while (open > 0) {
    const { signal } = settled;
    if (!hasSucceeded) await aborted(signal);
    else await clock.sleep(stallMs, ended.signal);
    if (open > 0 && hasSucceeded && clock.now().getTime() - lastSettledMs >= stallMs) return;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
