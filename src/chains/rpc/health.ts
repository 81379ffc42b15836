import type { Clock } from "../../lib/clock.ts";
import type { EndpointFailure, FailureKind } from "./failure.ts";

/** How an endpoint has fared lately: whom to ask first, and whom to leave alone for a while. */
export type Health = {
  recordSuccess(): void;
  recordFailure(failure: EndpointFailure): void;
  /** Zero is spotless; a fault counts for half as much after each half minute. */
  score(): number;
  /** How long to leave the endpoint alone. */
  coolingMs(): number;
};

const halfLifeMs = 30_000;

/** How much a fault counts, and how long the endpoint is left alone after the first and after many. */
const weights: Record<FailureKind, { counts: number; firstMs: number; maxMs: number }> = {
  down: { counts: 2, firstMs: 500, maxMs: 30_000 },
  error: { counts: 1, firstMs: 250, maxMs: 10_000 },
  limited: { counts: 1, firstMs: 0, maxMs: 0 },
  refused: { counts: 8, firstMs: 15_000, maxMs: 120_000 },
  malformed: { counts: 2, firstMs: 500, maxMs: 30_000 },
  too_large: { counts: 0.5, firstMs: 0, maxMs: 0 },
  unsupported: { counts: 0.5, firstMs: 0, maxMs: 0 },
  missing: { counts: 1, firstMs: 250, maxMs: 2000 },
  inconsistent: { counts: 1, firstMs: 250, maxMs: 5000 },
};

export function makeHealth(clock: Clock): Health {
  const nowMs = () => clock.now().getTime();
  let penalty = 0;
  let countedAt = nowMs();
  let streak = 0;
  let cooledAt = 0;
  let coolForMs = 0;

  function score(): number {
    return penalty * 0.5 ** (Math.max(0, nowMs() - countedAt) / halfLifeMs);
  }

  return {
    score,
    recordSuccess() {
      streak = 0;
      coolForMs = 0;
    },
    recordFailure({ kind, retryAfterMs }) {
      const { counts, firstMs, maxMs } = weights[kind];
      penalty = Math.min(16, score() + counts);
      countedAt = nowMs();
      streak += 1;
      cooledAt = nowMs();
      coolForMs = Math.max(
        Math.min(maxMs, firstMs * 2 ** Math.min(streak - 1, 10)),
        Math.min(retryAfterMs ?? 0, 30_000),
      );
    },
    coolingMs() {
      const elapsed = nowMs() - cooledAt;
      // A clock that was set back must not keep an endpoint out for longer.
      return elapsed < 0 ? 0 : Math.max(0, coolForMs - elapsed);
    },
  };
}
