import { medianOf } from "./median.ts";

/**
 * The robust z-score |x − median| / (1.4826 MAD + ε). `least` is ε: a deviation that is never anomalous, however
 * constant the series.
 */
export function robustScore(
  value: number,
  earlier: readonly number[],
  least: number,
): { score: number; expected: number } {
  const expected = medianOf(earlier);
  const mad = medianOf(earlier.map((value) => Math.abs(value - expected)));
  const score = Math.abs(value - expected) / (1.4826 * mad + least);
  return { score, expected };
}
