import type { Clock } from "../../lib/clock.ts";

/** How often an endpoint may be asked: as often as it bears, found out by its complaints. */
export type RateController = {
  /** Takes leave for that many calls; the time to wait before they may go. */
  reserve(calls: number): number;
  /** The endpoint complained: half as often from now on, and not at all for a while. */
  onRateLimited(retryAfterMs: number | undefined): void;
  /** The endpoint answered: a little more often from now on. */
  onSuccess(calls: number): void;
  /** How long to leave the endpoint alone. */
  pauseMs(): number;
  /** Calls a second; Infinity while the endpoint has never complained. */
  perSecond(): number;
};

const minPerSecond = 1;
/** Beyond this an endpoint is as good as unlimited. */
const maxPerSecond = 2000;
const maxPauseMs = 30_000;

/** Halved by a complaint, grown by answers: additive increase, multiplicative decrease, on a token bucket. */
export function makeRateController(clock: Clock): RateController {
  const nowMs = () => clock.now().getTime();
  let perSecond = Number.POSITIVE_INFINITY;
  let tokens = 0;
  let filledAt = nowMs();
  let pausedAt = 0;
  let pausedForMs = 0;
  let limitsInRow = 0;
  let recent = { since: nowMs(), calls: 0, before: 0 };

  const pauseMs = () => {
    const elapsed = nowMs() - pausedAt;
    // A clock that was set back must not make a pause longer than it was meant to be.
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
    reserve(calls) {
      count(calls);
      if (perSecond === Number.POSITIVE_INFINITY) return pauseMs();
      refill();
      // Going below zero is a debt that whoever comes later waits for; so everyone keeps their turn.
      tokens -= calls;
      return pauseMs() + Math.max(0, (-tokens / perSecond) * 1000);
    },
    onRateLimited(retryAfterMs) {
      // What was under way together complains together; that is one complaint.
      if (pauseMs() > 0 && retryAfterMs === undefined) return;
      limitsInRow += 1;
      const current = Math.min(perSecond, Math.max(recent.calls, recent.before, 2 * minPerSecond));
      perSecond = Math.max(minPerSecond, current / 2);
      tokens = 0;
      filledAt = nowMs();
      pausedAt = nowMs();
      pausedForMs = Math.min(maxPauseMs, retryAfterMs ?? 500 * 2 ** Math.min(limitsInRow, 6));
    },
    onSuccess(calls) {
      limitsInRow = 0;
      if (perSecond === Number.POSITIVE_INFINITY) return;
      perSecond += (5 * calls) / Math.max(1, perSecond);
      if (perSecond > maxPerSecond) perSecond = Number.POSITIVE_INFINITY;
    },
  };
}
