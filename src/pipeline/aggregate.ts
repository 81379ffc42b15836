import type { Aggregation, TimedReading } from "../meters/meter.ts";

/** A meter's own sense of a window; see `Meter.summarise`. */
export type Summarise = (window: readonly TimedReading[]) => number | null;

/** Reduces a window to one number. Null means that there is nothing to judge; counting nothing gives 0. */
export function aggregate(
  aggregation: Aggregation,
  window: readonly TimedReading[],
  seconds: number,
  summarise: Summarise | undefined,
): number | null {
  switch (aggregation) {
    case "count":
      return window.length;
    case "sum":
      return sum(window);
    case "rate":
      // By the minute, which is how people speak of transactions and events.
      return (sum(window) / seconds) * 60;
    case "last":
      return summarise ? summarise(window) : (window.at(-1)?.value ?? null);
    default:
      return window.length === 0
        ? null
        : ofValues(
            aggregation,
            window.map((reading) => reading.value),
          );
  }
}

function ofValues(aggregation: "avg" | "min" | "max" | "p95", values: number[]): number {
  switch (aggregation) {
    case "avg":
      return values.reduce((total, value) => total + value, 0) / values.length;
    case "min":
      return values.reduce((least, value) => Math.min(least, value));
    case "max":
      return values.reduce((most, value) => Math.max(most, value));
    case "p95":
      return percentile(values, 0.95);
  }
}

/** The smallest value that at least this share of the values does not exceed (nearest rank). */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] as number;
}

function sum(window: readonly TimedReading[]): number {
  return window.reduce((total, reading) => total + reading.value, 0);
}
