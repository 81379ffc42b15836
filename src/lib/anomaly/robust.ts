import { medianOf } from "../median.ts";

/**
 * How many usual deviations a value is away from the usual: |x − median| / (1.4826 MAD + ε). `least` is the ε: a deviation
 * that is never unusual by itself, however quiet it is otherwise.
 */
export function robustScore(
  value: number,
  earlier: readonly number[],
  least: number,
): { score: number; expected: number } {
  const expected = medianOf(earlier);
  const mad = medianOf(earlier.map((one) => Math.abs(one - expected)));
  const score = Math.abs(value - expected) / (1.4826 * mad + least);
  return { score, expected };
}
