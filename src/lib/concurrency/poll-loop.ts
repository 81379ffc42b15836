import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../clock.ts";

export type PollLoop = {
  clock: Clock;
  /** Aborting it ends the loop after the current round. */
  signal: AbortSignal;
  intervalMs: number;
  /** A hint on this topic ends the wait early. */
  wakeOn?: { bus: Bus; topic: string } | undefined;
  /** Waits before the first round too. */
  startsWithWait?: boolean;
  onError(error: unknown): void;
};

/** The result of a round; with `hasMore` the next round starts without waiting. */
export type PollResult = { hasMore: boolean };

/**
 * Runs `work` in rounds until the signal aborts: after the interval, at a hint, or at once while a round reports more work.
 * A round that fails is reported and waited for like one without more work. `wake` ends the current wait.
 */
export async function runPollLoop(
  { clock, signal, intervalMs, wakeOn, startsWithWait, onError }: PollLoop,
  work: (wake: () => void) => Promise<PollResult>,
): Promise<void> {
  let woken = new AbortController();
  const wake = () => woken.abort();
  const unsubscribe = wakeOn?.bus.subscribe(wakeOn.topic, wake);
  if (startsWithWait) await clock.sleep(intervalMs, AbortSignal.any([signal, woken.signal]));
  while (!signal.aborted) {
    // Reset before the round: a hint that arrives while it runs must cause another.
    woken = new AbortController();
    const result = await work(wake).catch(onError);
    if (!result?.hasMore) await clock.sleep(intervalMs, AbortSignal.any([signal, woken.signal]));
  }
  unsubscribe?.();
}

/** Runs `work` at every interval until the signal aborts. */
export function runEvery(loop: PollLoop, work: () => Promise<unknown>): Promise<void> {
  return runPollLoop(loop, async () => {
    await work();
    return { hasMore: false };
  });
}
