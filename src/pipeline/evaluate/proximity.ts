import type { Condition } from "./rule.ts";

const maxProximity = 2;

/** The proximity of a value to the threshold: 1 is at it, 2 is twice as bad or worse; null where it has no meaning. */
export function proximityOf(
  { operator, threshold, threshold_high }: Condition,
  value: number | null,
): number | null {
  if (value === null || threshold === null) return null;
  switch (operator) {
    case "gt":
    case "gte":
    case "change_pct_gt":
      return proximityAbove(value, threshold);
    case "lt":
    case "lte":
    case "change_pct_lt":
      return proximityAbove(-value, -threshold);
    case "outside":
      return Math.max(proximityAbove(value, threshold_high) ?? 0, proximityAbove(-value, -threshold) ?? 0);
    default:
      return null;
  }
}

/** Extrapolates the seconds until the threshold is reached from a line through the points; null when they lead elsewhere. */
export function etaSeconds(
  { operator, threshold }: Condition,
  points: { time: number; value: number | null }[],
): number | null {
  const numbers = points.flatMap(({ time, value }) => (value === null ? [] : [{ time, value }]));
  const last = numbers.at(-1);
  const slope = slopeOf(numbers);
  if (!last || slope === 0 || threshold === null) return null;
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

/** The slope by least squares, in units per second. */
function slopeOf(points: { time: number; value: number }[]): number {
  const meanTime = mean(points.map(({ time }) => time));
  const meanValue = mean(points.map(({ value }) => value));
  let covariance = 0;
  let variance = 0;
  for (const { time, value } of points) {
    covariance += (time - meanTime) * (value - meanValue);
    variance += (time - meanTime) ** 2;
  }
  return variance === 0 ? 0 : covariance / variance;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** The proximity of a value to an upper bound. A share of 0 is undefined, so only values beyond such a bound count. */
function proximityAbove(value: number, bound: number): number | null {
  if (bound === 0) return value > 0 ? maxProximity : null;
  if (bound > 0) return clamp(value / bound);
  return value >= 0 ? maxProximity : clamp(bound / value);
}

function clamp(value: number): number {
  return Math.min(maxProximity, Math.max(0, value));
}
