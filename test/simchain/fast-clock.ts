import type { Clock } from "../../src/lib/clock.ts";

/** The real time by which one turn of the event loop advances the clock at most. */
const maxTurnMs = 2;

type Sleeper = { at: number; wake(): void };

/**
 * A clock that runs `speed` times faster than the real one, to shorten cooldowns and backoff in tests. It advances with the
 * turns of the event loop: while a busy machine does not run this process, and so no simulated node, no timeout passes. It stands
 * still while `isPaused`, for instance while the database works.
 */
export function fastClock(speed: number, isPaused: () => boolean = () => false): Clock {
  let now = Date.now();
  let turnedAt = performance.now();
  const sleepers = new Set<Sleeper>();
  const advance = () => {
    const turned = performance.now();
    if (!isPaused()) now += Math.min(turned - turnedAt, maxTurnMs) * speed;
    turnedAt = turned;
    return now;
  };
  let isTurning = false;
  const turn = () => {
    advance();
    for (const sleeper of [...sleepers]) if (sleeper.at <= now) sleeper.wake();
    isTurning = sleepers.size > 0;
    if (isTurning) setTimeout(turn, 1);
  };
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        sleepers.delete(sleeper);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const sleeper = { at: advance() + ms, wake };
      signal?.addEventListener("abort", wake);
      sleepers.add(sleeper);
      if (!isTurning) setTimeout(turn, 1);
      isTurning = true;
    });
  return { now: () => new Date(advance()), sleep };
}
