import { countOf, sumOf, type TimedReading } from "../../meters/meter.ts";

/** Rolls readings up to one per span of `seconds`, dated at the last second of the span. Accepts rolled-up readings too. */
export function downsample(
  readings: readonly TimedReading[],
  seconds: number,
  until = Number.POSITIVE_INFINITY,
): TimedReading[] {
  const spans = Map.groupBy(readings, ({ time }) => Math.floor(time / seconds));
  return [...spans].map(([span, group]) => {
    const rolled = {
      count: group.reduce((total, reading) => total + countOf(reading), 0),
      sum: group.reduce((total, reading) => total + sumOf(reading), 0),
      min: group.reduce((min, { rolled, value }) => Math.min(min, rolled?.min ?? value), Infinity),
      max: group.reduce((max, { rolled, value }) => Math.max(max, rolled?.max ?? value), -Infinity),
    };
    const last = group.at(-1) as TimedReading;
    return { ...last, rolled, time: Math.min((span + 1) * seconds - 1, until) };
  });
}
