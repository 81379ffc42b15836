/** Returns the median, the mean of the two middle values for an even count, and 0 for no values. */
export function medianOf(values: Iterable<number>): number {
  const sorted = Float64Array.from(values).sort();
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
