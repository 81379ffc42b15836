import type { Clock } from "../../../lib/clock.ts";
import { backoffAfter } from "../../../lib/concurrency/exponential-backoff.ts";

/** The request rate of an endpoint, adapted to the rate limits that it reports. */
export type RateController = {
  /** Reserves a number of calls; returns the time to wait before sending them. */
  reserve(calls: number): number;
  /** Reserves calls for work that may wait, out of what more urgent work leaves. Returns 0, or when to ask again. */
  reserveSpare(calls: number): number;
  /** Halves the rate and pauses for some time. */
  onRateLimited(retryAfterMs: number | undefined, isQuota?: boolean): void;
  /** True if the last limit was a quota, and nothing has succeeded since. */
  isQuotaUsedUp(): boolean;
  /** Raises the rate a little. */
  onSuccess(calls: number): void;
  /** The remaining pause. */
  pauseMs(): number;
  /** Calls per second; Infinity until the endpoint reports a rate limit. */
  perSecond(): number;
};

const minPerSecond = 1;
/** Above this rate an endpoint counts as unlimited. */
const maxPerSecond = 2000;
const backoffMs = { first: 1_000, max: 30_000 };

/** A token bucket with additive increase and multiplicative decrease. */
export function makeRateController(clock: Clock): RateController {
  const nowMs = () => clock.now().getTime();
  let perSecond = Number.POSITIVE_INFINITY;
  let tokens = 0;
  let filledAt = nowMs();
  let pausedAt = 0;
  let pausedForMs = 0;
  let limitsInRow = 0;
  let isQuotaUsedUp = false;
  let recent = { since: nowMs(), calls: 0, before: 0 };

  const pauseMs = () => {
    const elapsed = nowMs() - pausedAt;
    // A clock that was set back must not prolong the pause.
    return elapsed < 0 ? 0 : Math.max(0, pausedForMs - elapsed);
  };

  function count(calls: number): void {
    const now = nowMs();
    if (now - recent.since >= 1000 || now < recent.since) {
      recent = { since: now, calls: 0, before: now - recent.since < 2000 ? recent.calls : 0 };
    }
    recent.calls += calls;
  }

  function refill(): void {
    const now = nowMs();
    const earned = (Math.max(0, now - filledAt) / 1000) * perSecond;
    tokens = Math.min(Math.max(1, perSecond), tokens + earned);
    filledAt = now;
  }

  return {
    pauseMs,
    perSecond: () => perSecond,
    isQuotaUsedUp: () => isQuotaUsedUp,
    reserve(calls) {
      count(calls);
      if (perSecond === Number.POSITIVE_INFINITY) return pauseMs();
      refill();
      // A negative balance makes later callers wait, so calls are sent in the order of their reservations.
      tokens -= calls;
      return pauseMs() + Math.max(0, (-tokens / perSecond) * 1000);
    },
    reserveSpare(calls) {
      const pause = pauseMs();
      if (pause > 0) return pause;
      if (perSecond !== Number.POSITIVE_INFINITY) {
        refill();
        const capacity = Math.max(1, perSecond);
        // Half of the bucket stays for blocks, which must not queue behind state reads.
        const needed = Math.min(capacity, calls + capacity / 2);
        if (tokens < needed) return Math.ceil(((needed - tokens) / perSecond) * 1000);
        tokens -= calls;
      }
      count(calls);
      return 0;
    },
    onRateLimited(retryAfterMs, isQuota = false) {
      isQuotaUsedUp = isQuota;
      // Requests that were sent together report the limit together; it counts once.
      if (pauseMs() > 0 && retryAfterMs === undefined) return;
      limitsInRow += 1;
      const current = Math.min(perSecond, Math.max(recent.calls, recent.before, 2 * minPerSecond));
      perSecond = Math.max(minPerSecond, current / 2);
      tokens = 0;
      filledAt = nowMs();
      pausedAt = nowMs();
      pausedForMs = Math.min(backoffMs.max, retryAfterMs ?? backoffAfter(limitsInRow, backoffMs));
    },
    onSuccess(calls) {
      limitsInRow = 0;
      isQuotaUsedUp = false;
      if (perSecond === Number.POSITIVE_INFINITY) return;
      perSecond += (5 * calls) / Math.max(1, perSecond);
      if (perSecond > maxPerSecond) perSecond = Number.POSITIVE_INFINITY;
    },
  };
}
