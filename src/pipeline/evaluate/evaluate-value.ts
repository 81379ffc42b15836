import type { Aggregation, TimedReading } from "../../meters/meter.ts";
import type { Series } from "../watch/series.ts";
import { aggregate, type Summarise } from "./aggregate.ts";
import type { Condition, Rule } from "./rule.ts";

/** What a window comes to, and whether the condition holds of it; null when there is nothing to judge. */
export type WindowValue = { value: number | null; holds: boolean | null };

/** Compares what the window that ends at `now` comes to with the threshold. */
export function evaluateValue(
  rule: Rule,
  series: Series,
  window: readonly TimedReading[],
  now: number,
  summarise: Summarise | undefined,
): WindowValue {
  const { condition } = rule;
  const { aggregation, window_seconds } = condition;
  const passing = aggregation === "last" && !summarise ? passingOf(condition, window) : undefined;
  const value = passing?.value ?? aggregate(aggregation, window, window_seconds, summarise);
  if (value === null) return { value, holds: null };
  const holds = compares(condition, value);
  const isComplete = coversWindow(rule, now) || series.at(now - window_seconds) !== undefined;
  const isTally = tallies.has(aggregation) || (summarise !== undefined && !rule.isPolled);
  // Of a window that was not listened to as a whole, the part that is missing may be what is missed.
  return { value, holds: holds && isTally && !isComplete && mayGrowOutOf(condition, value) ? null : holds };
}

/** Of several readings in the last moment each was the last for an instant, and what followed must not hide it. */
function passingOf(condition: Condition, window: readonly TimedReading[]): TimedReading | undefined {
  const moment = window.at(-1)?.time;
  const first = window.findLastIndex(({ time }) => time !== moment) + 1;
  return window.slice(first).find(({ value }) => compares(condition, value));
}

const tallies: ReadonlySet<Aggregation> = new Set(["count", "sum", "rate"]);

/** Whether the condition might hold no longer if there were more. */
function mayGrowOutOf({ operator, threshold, threshold_high }: Condition, value: number): boolean {
  if (operator === "gt" || operator === "gte") return false;
  if (operator === "outside") return value <= threshold_high;
  return operator !== "neq" || value <= threshold;
}

export function compares({ operator, threshold, threshold_high }: Condition, value: number): boolean {
  switch (operator) {
    case "gt":
      return value > threshold;
    case "gte":
      return value >= threshold;
    case "lt":
      return value < threshold;
    case "lte":
      return value <= threshold;
    case "eq":
      return value === threshold;
    case "neq":
      return value !== threshold;
    case "between":
      return value >= threshold && value <= threshold_high;
    case "outside":
      return value < threshold || value > threshold_high;
    default:
      return false;
  }
}

/** Whether the rule has been there for a whole window. */
export function coversWindow({ since, condition }: Rule, now: number): boolean {
  return now - since >= condition.window_seconds;
}
