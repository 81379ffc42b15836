import { countOf, sumOf, type TimedReading } from "../../meters/meter.ts";

/** Readings as they are kept as sums: one for each span of seconds, at its last. They may be sums already. */
export function downsample(
  readings: readonly TimedReading[],
  seconds: number,
  until = Number.POSITIVE_INFINITY,
): TimedReading[] {
  const spans = Map.groupBy(readings, ({ time }) => Math.floor(time / seconds));
  return [...spans].map(([span, some]) => {
    const rolled = {
      count: some.reduce((total, one) => total + countOf(one), 0),
      sum: some.reduce((total, one) => total + sumOf(one), 0),
      min: some.reduce((least, { rolled, value }) => Math.min(least, rolled?.min ?? value), Infinity),
      max: some.reduce((most, { rolled, value }) => Math.max(most, rolled?.max ?? value), -Infinity),
    };
    const last = some.at(-1) as TimedReading;
    return { ...last, rolled, time: Math.min((span + 1) * seconds - 1, until) };
  });
}
