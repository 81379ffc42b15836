import type { Aggregation, TimedReading } from "../../meters/meter.ts";
import type { Series } from "../watch/series.ts";
import { aggregate, type Summarise } from "./aggregate.ts";
import type { Condition, ConditionPart, Operator } from "./rule.ts";

/** A condition and the window of its series that ends at block time `now`. */
export type RuleWindow = {
  rule: ConditionPart;
  series: Series;
  window: readonly TimedReading[];
  now: number;
  summarise: Summarise | undefined;
};

/** The value of a window and whether the condition holds for it; null when there is too little data to tell. */
export type WindowValue = { value: number | null; holds: boolean | null };

/** Aggregates a window to one value and compares it with the threshold. */
export function evaluateValue({ rule, series, window, now, summarise }: RuleWindow): WindowValue {
  const { condition } = rule;
  const { aggregation, window_seconds } = condition;
  const newestMatch = aggregation === "last" && !summarise ? findNewestMatch(condition, window) : undefined;
  const value = newestMatch?.value ?? aggregate(aggregation, window, window_seconds, summarise);
  if (value === null) return { value, holds: null };
  const holds = compares(condition, value);
  const isComplete = coversWindow(rule, now) || series.at(now - window_seconds) !== undefined;
  const isTotal = totals.has(aggregation) || (summarise !== undefined && !rule.isPolled);
  // If part of the window was not observed, the readings that are missing might lift the value above the threshold.
  return {
    value,
    holds: holds && isTotal && !isComplete && mightStopHolding(condition, value) ? null : holds,
  };
}

/** Of several readings at the newest time each was the last one for an instant: a later one must not hide a match. */
function findNewestMatch(condition: Condition, window: readonly TimedReading[]): TimedReading | undefined {
  const newestTime = window.at(-1)?.time;
  const first = window.findLastIndex(({ time }) => time !== newestTime) + 1;
  return window.slice(first).find(({ value }) => compares(condition, value));
}

const totals: ReadonlySet<Aggregation> = new Set(["count", "sum", "rate"]);

/** Returns whether a larger value might make the condition false. */
function mightStopHolding({ operator, threshold, threshold_high }: Condition, value: number): boolean {
  if (operator === "gt" || operator === "gte") return false;
  if (operator === "outside") return value <= threshold_high;
  return operator !== "neq" || (threshold !== null && value <= threshold);
}

const comparisons: ReadonlySet<Operator> = new Set<Operator>([
  "gt",
  "gte",
  "lt",
  "lte",
  "eq",
  "neq",
  "between",
  "outside",
]);

/** Whether a condition compares one value with its threshold. */
export function isComparison({ operator }: Condition): boolean {
  return comparisons.has(operator);
}

/** Compares a value with the threshold; false for operators that have none. */
export function compares(
  { operator, threshold, threshold_high }: Pick<Condition, "operator" | "threshold" | "threshold_high">,
  value: number,
): boolean {
  if (threshold === null) return false;
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

/** Returns whether the rule has existed for a whole window. */
export function coversWindow({ since, condition }: ConditionPart, now: number): boolean {
  return now - since >= condition.window_seconds;
}
