import type { Clock } from "../../src/lib/clock.ts";
import { systemClock } from "../../src/lib/clock.ts";

/** A clock that runs `speed` times faster than the real one, to shorten cooldowns and backoff in tests. */
export function fastClock(speed: number): Clock {
  const started = Date.now();
  return {
    now: () => new Date(started + (Date.now() - started) * speed),
    sleep: (ms, signal) => systemClock.sleep(ms / speed, signal),
  };
}
