import { medianOf } from "../../lib/anomaly/median.ts";
import type { Aggregation } from "../../meters/meter.ts";
import type { Series } from "../watch/series.ts";

/** The usual value: the median of earlier windows and their median absolute deviation. */
export type Baseline = { median: number; mad: number; windows: number };

const counts: ReadonlySet<Aggregation> = new Set(["count", "rate"]);

const historySeconds = 24 * 60 * 60;
const minHistorySeconds = 3 * 60 * 60;
/** A day of one-minute windows; longer windows give fewer. */
const maxWindows = 1440;

/** Computes the baseline for the window that ends at `now` from the day before it; undefined with too little history. */
export function baselineOf(
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
  const median = medianOf(values);
  return { median, mad: medianOf(values.map((value) => Math.abs(value - median))), windows: values.length };
}

/**
 * The anomaly score: the distance of a value from the median in usual deviations. The minimum deviation keeps a single
 * occurrence, or a thousandth of a level, from scoring high on a constant series.
 */
export function scoreOf(value: number, { median, mad }: Baseline, aggregation: Aggregation): number {
  const minDeviation = counts.has(aggregation) ? 1 : Math.max(1e-9, Math.abs(median) / 1_000);
  return Math.abs(value - median) / (1.4826 * mad + minDeviation);
}
