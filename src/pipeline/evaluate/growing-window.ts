import { countOf, sumOf, type TimedReading } from "../../meters/meter.ts";
import { aggregate, type Summarise } from "./aggregate.ts";
import type { Condition } from "./rule.ts";

/** The positions that are tried where each takes as long as the whole window. */
const maxTries = 100;

/**
 * Returns a function that is called with each position in `added` in order, and returns the aggregate of `older` and of the
 * readings up to that position. A block can have so many readings that a window for each of them would block the event loop.
 * Where the aggregate cannot be continued, it is null at all but some of very many positions.
 */
export function growingWindow(
  { aggregation, window_seconds }: Pick<Condition, "aggregation" | "window_seconds">,
  { older, added }: { older: readonly TimedReading[]; added: readonly TimedReading[] },
  summarise: Summarise | undefined,
): (position: number) => number | null {
  if (aggregation === "p95" || (aggregation === "last" && summarise)) {
    const step = Math.ceil(added.length / maxTries);
    return (position) =>
      position % step === 0
        ? aggregate(aggregation, [...older, ...added.slice(0, position + 1)], window_seconds, summarise)
        : null;
  }
  const running = new Running();
  for (const reading of older) running.add(reading);
  return (position) => {
    const reading = added[position];
    if (reading) running.add(reading);
    return running.value(aggregation, window_seconds);
  };
}

/** Sums in the order of the readings, as `aggregate` does, so that both have the same rounding. */
class Running {
  private sum = 0;
  private count = 0;
  private min = Number.POSITIVE_INFINITY;
  private max = Number.NEGATIVE_INFINITY;
  private last: number | null = null;

  add(reading: TimedReading): void {
    this.sum += sumOf(reading);
    this.count += countOf(reading);
    this.min = Math.min(this.min, reading.rolled?.min ?? reading.value);
    this.max = Math.max(this.max, reading.rolled?.max ?? reading.value);
    this.last = reading.value;
  }

  value(aggregation: Exclude<Condition["aggregation"], "p95">, seconds: number): number | null {
    const values = {
      ...{ sum: this.sum, count: this.count, min: this.min, max: this.max, last: this.last },
      rate: (this.sum / seconds) * 60,
      avg: this.sum / this.count,
    };
    return values[aggregation];
  }
}
