import type { Clock } from "../../../lib/clock.ts";
import { type Backoff, backoffAfter } from "../../../lib/concurrency/exponential-backoff.ts";
import type { EndpointFailure, FailureKind } from "../failure.ts";

/** The recent failures of an endpoint: its rank among others, and its cooldown. */
export type Health = {
  recordSuccess(): void;
  recordFailure(failure: EndpointFailure): void;
  /** The failure after which nothing has succeeded yet. */
  lastFailure(): EndpointFailure | undefined;
  /** Failures of the last ten minutes that requests in between hide: the newest of each kind, and how many there were. */
  intermittent(): { failure: EndpointFailure; times: number }[];
  /** The sum of the penalties, each halved every 30 seconds; zero is best. */
  score(): number;
  /** The time until the endpoint may be used again. */
  cooldownMs(): number;
};

const halfLifeMs = 30_000;

/** The penalty of a failure, and the cooldown after the first and after many in a row. */
const weights: Record<FailureKind, { penalty: number; cooldownMs: Backoff }> = {
  down: { penalty: 2, cooldownMs: { first: 500, max: 30_000 } },
  timeout: { penalty: 2, cooldownMs: { first: 500, max: 30_000 } },
  error: { penalty: 1, cooldownMs: { first: 250, max: 10_000 } },
  limited: { penalty: 1, cooldownMs: { first: 0, max: 0 } },
  refused: { penalty: 8, cooldownMs: { first: 15_000, max: 120_000 } },
  malformed: { penalty: 2, cooldownMs: { first: 500, max: 30_000 } },
  too_large: { penalty: 0.5, cooldownMs: { first: 0, max: 0 } },
  unsupported: { penalty: 0.5, cooldownMs: { first: 0, max: 0 } },
  missing: { penalty: 1, cooldownMs: { first: 250, max: 2000 } },
  pruned: { penalty: 1, cooldownMs: { first: 250, max: 10_000 } },
  inconsistent: { penalty: 1, cooldownMs: { first: 250, max: 5000 } },
  deadline: { penalty: 0, cooldownMs: { first: 0, max: 0 } },
};

/** Failures that are a defect of the endpoint, not its answer to what was asked. */
const defects: ReadonlySet<FailureKind> = new Set(["down", "timeout", "error", "malformed", "inconsistent"]);
const defectWindowMs = 600_000;
/** A single failure happens to every endpoint. */
const defectsToReport = 3;
const maxDefects = 100;

export function makeHealth(clock: Clock): Health {
  const nowMs = () => clock.now().getTime();
  let totalPenalty = 0;
  let countedAt = nowMs();
  let failuresInRow = 0;
  let lastFailure: EndpointFailure | undefined;
  let cooldownFrom = 0;
  let cooldownLengthMs = 0;
  let recentDefects: { at: number; failure: EndpointFailure }[] = [];

  function score(): number {
    return totalPenalty * 0.5 ** (Math.max(0, nowMs() - countedAt) / halfLifeMs);
  }

  return {
    score,
    lastFailure: () => lastFailure,
    intermittent() {
      recentDefects = recentDefects.filter(({ at }) => nowMs() - at < defectWindowMs);
      if (recentDefects.length < defectsToReport) return [];
      const kinds = Map.groupBy(recentDefects, ({ failure }) => failure.kind).values();
      return [...kinds].flatMap((group) =>
        group.slice(-1).map(({ failure }) => ({ failure, times: group.length })),
      );
    },
    recordSuccess() {
      lastFailure = undefined;
      failuresInRow = 0;
      cooldownLengthMs = 0;
    },
    recordFailure(failure) {
      lastFailure = failure;
      const { kind, retryAfterMs } = failure;
      if (defects.has(kind)) recentDefects = [...recentDefects, { at: nowMs(), failure }].slice(-maxDefects);
      const { penalty, cooldownMs } = weights[kind];
      totalPenalty = Math.min(16, score() + penalty);
      countedAt = nowMs();
      failuresInRow += 1;
      cooldownFrom = nowMs();
      cooldownLengthMs = Math.max(
        backoffAfter(failuresInRow, cooldownMs),
        Math.min(retryAfterMs ?? 0, 30_000),
      );
    },
    cooldownMs() {
      const elapsed = nowMs() - cooldownFrom;
      // A clock that was set back must not prolong the cooldown.
      return elapsed < 0 ? 0 : Math.max(0, cooldownLengthMs - elapsed);
    },
  };
}
