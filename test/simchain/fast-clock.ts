import type { Clock } from "../../src/lib/clock.ts";
import { systemClock } from "../../src/lib/clock.ts";

/** A clock that runs so many times faster than the real one, so that rests and back-offs cost a test little. */
export function fastClock(speed: number): Clock {
  const started = Date.now();
  return {
    now: () => new Date(started + (Date.now() - started) * speed),
    sleep: (ms, signal) => systemClock.sleep(ms / speed, signal),
  };
}
