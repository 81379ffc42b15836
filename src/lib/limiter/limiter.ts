import type { Clock } from "../clock.ts";

/** The decision on a request, with the state of its window. */
export type Admission = {
  isAdmitted: boolean;
  /** Hits that would still be admitted now. */
  remaining: number;
  /** Time until the next hit is admitted; 0 for an admitted one. */
  waitMs: number;
  /** Time until the oldest hit leaves the window. */
  resetMs: number;
};

/**
 * Exact sliding windows: no span of the window's length holds more admitted hits than the limit, and no hit is
 * rejected while it holds fewer. Rejected hits do not count. The limit is an argument of each call, since tiers
 * change.
 */
export type Limiter = {
  admit(key: string, limit: number): Promise<Admission>;
  close(): Promise<void>;
};

export const windowMs = 60_000;

/** Windows in memory: exact with one API process. */
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
  // Keeps hits ordered when the clock is set back.
  hits.add(Math.max(now, hits.newest()));
  return {
    isAdmitted: true,
    remaining: limit - count - 1,
    waitMs: 0,
    resetMs: hits.at(0) + lengthMs - now,
  };
}

type Hits = ReturnType<typeof makeHits>;

/** Ordered times. Expired times are removed in large slices, so that removal is amortised. */
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
