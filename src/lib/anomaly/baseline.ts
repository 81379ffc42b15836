import { medianOf } from "./median.ts";

/** What is usual: the median of the values of earlier windows, and their median absolute deviation (MAD). */
export type Baseline = { median: number; mad: number; windows: number };

export function baselineOf(values: Iterable<number> & ArrayLike<number>): Baseline {
  const median = medianOf(values);
  const mad = medianOf(Float64Array.from(values, (value) => Math.abs(value - median)));
  return { median, mad, windows: values.length };
}

/**
 * The robust z-score |x − median| / (1.4826 MAD + ε). `minDeviation` is ε: a deviation that is never anomalous, however
 * constant the values.
 */
export function robustScore(value: number, { median, mad }: Baseline, minDeviation: number): number {
  return Math.abs(value - median) / (1.4826 * mad + minDeviation);
}
