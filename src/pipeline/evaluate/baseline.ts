import { type Baseline, baselineOf, robustScore } from "../../lib/anomaly/baseline.ts";
import type { Aggregation } from "../../meters/meter.ts";
import type { Series } from "../watch/series.ts";

const counts: ReadonlySet<Aggregation> = new Set(["count", "rate"]);

const historySeconds = 24 * 60 * 60;
const minHistorySeconds = 3 * 60 * 60;
/** A day of one-minute windows; longer windows give fewer. */
const maxWindows = 1440;

/** Computes the baseline for the window that ends at `now` from the day before it; undefined with too little history. */
export function baselineBefore(
  series: Series,
  now: number,
  window_seconds: number,
  valueAt: (end: number) => number | null,
): Baseline | undefined {
  const oldest = series.nextAfter(now - historySeconds)?.time;
  if (oldest === undefined || now - window_seconds - oldest < minHistorySeconds) return undefined;
  const values: number[] = [];
  for (let end = now - window_seconds; end > oldest && values.length < maxWindows; end -= window_seconds) {
    const value = valueAt(end);
    if (value !== null) values.push(value);
  }
  if (values.length < 3) return undefined;
  return baselineOf(values);
}

/**
 * The anomaly score: the distance of a value from the median in usual deviations. The minimum deviation keeps a single
 * occurrence, or a thousandth of a level, from scoring high on a constant series.
 */
export function scoreOf(value: number, baseline: Baseline, aggregation: Aggregation): number {
  const minDeviation = counts.has(aggregation) ? 1 : Math.max(1e-9, Math.abs(baseline.median) / 1_000);
  return robustScore(value, baseline, minDeviation);
}
