import { type Aggregation, countOf, sumOf, type TimedReading } from "../../meters/meter.ts";

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
      return countAll(window);
    case "sum":
      return sum(window);
    case "rate":
      // By the minute, which is how people speak of transactions and events.
      return (sum(window) / seconds) * 60;
    case "last":
      return summarise ? summarise(window) : (window.at(-1)?.value ?? null);
    default:
      return window.length === 0 ? null : ofReadings(aggregation, window);
  }
}

function ofReadings(aggregation: "avg" | "min" | "max" | "p95", window: readonly TimedReading[]): number {
  switch (aggregation) {
    case "avg":
      return sum(window) / countAll(window);
    case "min":
      return window.reduce((least, { rolled, value }) => Math.min(least, rolled?.min ?? value), Infinity);
    case "max":
      return window.reduce((most, { rolled, value }) => Math.max(most, rolled?.max ?? value), -Infinity);
    case "p95":
      // Of what is left only as sums, the last value speaks for all.
      return percentile(
        window.map(({ value }) => value),
        0.95,
      );
  }
}

/** The smallest value that at least this share of the values does not exceed (nearest rank). */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] as number;
}

function sum(window: readonly TimedReading[]): number {
  return window.reduce((total, reading) => total + sumOf(reading), 0);
}

function countAll(window: readonly TimedReading[]): number {
  return window.reduce((total, reading) => total + countOf(reading), 0);
}
