import { countedUnits, type TimedReading } from "../../../../meters/meter.ts";
import { compares, type WatchedRule } from "../../../../pipeline/index.ts";

/** A value with which the condition holds: that of the reading if it does, otherwise one a little beyond the threshold. */
export function exampleValue(
  { condition, isEach, target }: Pick<WatchedRule, "condition" | "isEach" | "target">,
  reading: TimedReading | undefined,
): number | null {
  const { operator, threshold, threshold_high } = condition;
  if (operator === "absent") return null;
  if (threshold === null) return reading?.value ?? 1;
  const step = countedUnits.has(target.meter.unit) ? 1 : Math.abs(threshold) / 10 || 1;
  if (isEach && reading && compares(condition, reading.value)) return reading.value;
  switch (operator) {
    case "gt":
    case "neq":
    case "change_pct_gt":
    case "anomaly":
      return threshold + step;
    case "lt":
    case "change_pct_lt":
      return threshold - step;
    case "outside":
      return threshold_high + step;
    case "between":
      return (threshold + threshold_high) / 2;
    default:
      return threshold;
  }
}
