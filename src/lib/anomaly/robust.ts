/** The middle of some numbers; 0 of none. */
export function medianOf(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

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
  const mad = medianOf(earlier.map((one) => Math.abs(one - expected)));
  const score = Math.abs(value - expected) / (1.4826 * mad + least);
  return { score, expected };
}
