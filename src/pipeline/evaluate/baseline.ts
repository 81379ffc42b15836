import { medianOf } from "../../lib/median.ts";
import type { Aggregation } from "../../meters/meter.ts";
import type { Series } from "../watch/series.ts";

/** What is usual: the middle of earlier windows and how far they stray from it. */
export type Baseline = { median: number; mad: number; windows: number };

const counting: ReadonlySet<Aggregation> = new Set(["count", "rate"]);

const historySeconds = 24 * 60 * 60;
const neededSeconds = 3 * 60 * 60;
/** A day of one-minute windows; longer windows give fewer. */
const maxWindows = 1440;

/** The usual value of windows like the one that ends at `now`, from the day before it; undefined with too little history. */
export function baselineOf(
  series: Series,
  now: number,
  window_seconds: number,
  read: (end: number) => number | null,
): Baseline | undefined {
  const oldest = series.nextAfter(now - historySeconds)?.time;
  if (oldest === undefined || now - window_seconds - oldest < neededSeconds) return undefined;
  const values: number[] = [];
  for (let end = now - window_seconds; end > oldest && values.length < maxWindows; end -= window_seconds) {
    const value = read(end);
    if (value !== null) values.push(value);
  }
  if (values.length < 3) return undefined;
  const median = medianOf(values);
  return { median, mad: medianOf(values.map((value) => Math.abs(value - median))), windows: values.length };
}

/**
 * How many usual deviations a value is away. A single occurrence more or less is never unusual by itself, nor is a thousandth
 * of a level, however quiet it is otherwise.
 */
export function scoreOf(value: number, { median, mad }: Baseline, aggregation: Aggregation): number {
  const least = counting.has(aggregation) ? 1 : Math.max(1e-9, Math.abs(median) / 1_000);
  return Math.abs(value - median) / (1.4826 * mad + least);
}
