import { type Aggregation, countOf, sumOf, type TimedReading } from "../../meters/meter.ts";

/** Reduces a window the way the meter defines; see `Meter.summarise`. */
export type Summarise = (window: readonly TimedReading[]) => number | null;

/** Reduces a window to one number. Null means no data; the count of an empty window is 0. */
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
      // Per minute, the usual unit for transactions and events.
      return (sum(window) / seconds) * 60;
    case "last":
      return summarise ? summarise(window) : (window.at(-1)?.value ?? null);
    default:
      return window.length === 0 ? null : aggregateReadings(aggregation, window);
  }
}

function aggregateReadings(
  aggregation: "avg" | "min" | "max" | "p95",
  window: readonly TimedReading[],
): number {
  switch (aggregation) {
    case "avg":
      return sum(window) / countAll(window);
    case "min":
      return window.reduce((min, { rolled, value }) => Math.min(min, rolled?.min ?? value), Infinity);
    case "max":
      return window.reduce((max, { rolled, value }) => Math.max(max, rolled?.max ?? value), -Infinity);
    case "p95":
      // A rolled-up reading keeps no distribution, so its last value stands for the whole span.
      return percentile(
        window.map(({ value }) => value),
        0.95,
      );
  }
}

/** Returns the percentile by nearest rank: the smallest value that at least this share of the values do not exceed. */
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
