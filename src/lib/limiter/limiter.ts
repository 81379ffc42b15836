import type { Clock } from "../clock.ts";

/** Whether a request goes through, and how its window stands. */
export type Admission = {
  isAdmitted: boolean;
  /** How many more would be admitted now. */
  remaining: number;
  /** Until one more would be; 0 for one that was admitted. */
  waitMs: number;
  /** Until the oldest hit leaves the window. */
  resetMs: number;
};

/**
 * Sliding windows, exact: no span of the window's length ever holds more admitted hits than the limit, and no hit is
 * refused while it holds fewer. Refused hits do not count. The limit is given anew each time, since tiers change.
 */
export type Limiter = {
  admit(key: string, limit: number): Promise<Admission>;
  close(): Promise<void>;
};

export const windowMs = 60_000;

/** Windows in this process's memory: exact for as long as it is the only one that serves. */
export function makeMemoryLimiter(clock: Clock, lengthMs = windowMs): Limiter {
  const windows = new Map<string, Hits>();
  let sweptAt = 0;
  return {
    async admit(key, limit) {
      const now = clock.now().getTime();
      if (now - sweptAt > lengthMs) {
        sweptAt = now;
        for (const [name, hits] of windows) if (hits.newest() <= now - lengthMs) windows.delete(name);
      }
      const hits = windows.get(key) ?? makeHits();
      windows.set(key, hits);
      return admit(hits, limit, now, lengthMs);
    },
    close: async () => undefined,
  };
}

function admit(hits: Hits, limit: number, now: number, lengthMs: number): Admission {
  hits.dropUntil(now - lengthMs);
  const count = hits.count();
  if (count >= limit) {
    const waitMs = hits.at(count - limit) + lengthMs - now;
    return { isAdmitted: false, remaining: 0, waitMs, resetMs: waitMs };
  }
  // A clock set back must not put hits out of order.
  hits.add(Math.max(now, hits.newest()));
  return {
    isAdmitted: true,
    remaining: limit - count - 1,
    waitMs: 0,
    resetMs: hits.at(0) + lengthMs - now,
  };
}

type Hits = ReturnType<typeof makeHits>;

/** Times in order. The front is cut off in large pieces, so that dropping costs next to nothing. */
function makeHits() {
  let times: number[] = [];
  let first = 0;
  return {
    count: () => times.length - first,
    at: (index: number) => times[first + index] ?? Number.NaN,
    newest: () => times.at(-1) ?? Number.NEGATIVE_INFINITY,
    add: (time: number) => void times.push(time),
    dropUntil(cutoff: number) {
      while (first < times.length && (times[first] as number) <= cutoff) first++;
      if (first > 1_000 && first * 2 > times.length) {
        times = times.slice(first);
        first = 0;
      }
    },
  };
}
