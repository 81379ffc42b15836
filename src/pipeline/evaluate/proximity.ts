import type { Condition } from "./rule.ts";

const most = 2;

/** How near a value is to firing: 1 is at the threshold, 2 twice as bad or worse; null where nearness has no meaning. */
export function proximityOf(
  { operator, threshold, threshold_high }: Condition,
  value: number | null,
): number | null {
  if (value === null) return null;
  switch (operator) {
    case "gt":
    case "gte":
    case "change_pct_gt":
      return nearnessAbove(value, threshold);
    case "lt":
    case "lte":
    case "change_pct_lt":
      return nearnessAbove(-value, -threshold);
    case "outside":
      return Math.max(nearnessAbove(value, threshold_high) ?? 0, nearnessAbove(-value, -threshold) ?? 0);
    default:
      return null;
  }
}

/** Seconds until the threshold is reached, from the line through the last hour's values; null when it is not coming. */
export function etaSeconds(
  { operator, threshold }: Condition,
  points: { time: number; value: number | null }[],
): number | null {
  const known = points.flatMap(({ time, value }) => (value === null ? [] : [{ time, value }]));
  const last = known.at(-1);
  const slope = slopeOf(known);
  if (!last || slope === 0) return null;
  const isRising = operator === "gt" || operator === "gte";
  const isFalling = operator === "lt" || operator === "lte";
  if (
    !(isRising && slope > 0 && last.value < threshold) &&
    !(isFalling && slope < 0 && last.value > threshold)
  ) {
    return null;
  }
  return Math.round((threshold - last.value) / slope);
}

/** By least squares, in units a second. */
function slopeOf(points: { time: number; value: number }[]): number {
  const meanTime = mean(points.map(({ time }) => time));
  const meanValue = mean(points.map(({ value }) => value));
  let above = 0;
  let below = 0;
  for (const { time, value } of points) {
    above += (time - meanTime) * (value - meanValue);
    below += (time - meanTime) ** 2;
  }
  return below === 0 ? 0 : above / below;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** How near a value is to being above a bound. Of 0 nothing is a share, so that only what is beyond it can be told. */
function nearnessAbove(value: number, bound: number): number | null {
  if (bound === 0) return value > 0 ? most : null;
  if (bound > 0) return clamp(value / bound);
  return value >= 0 ? most : clamp(bound / value);
}

function clamp(value: number): number {
  return Math.min(most, Math.max(0, value));
}
