import { formatDuration, formatWithUnit } from "@/lib/units.ts";
import type { Condition } from "@/queries/alerts.ts";

export const operatorWords: Record<Condition["operator"], string> = {
  gt: "is above",
  gte: "is at least",
  lt: "is below",
  lte: "is at most",
  eq: "is exactly",
  neq: "is not",
  between: "is between",
  outside: "is outside",
  change_pct_gt: "rises by more than",
  change_pct_lt: "falls by more than",
  changed: "changes",
  anomaly: "is unusual by more than",
  absent: "is missing",
};

export const aggregationWords: Record<NonNullable<Condition["aggregation"]>, string> = {
  each: "each one",
  last: "the last value",
  avg: "the average",
  min: "the lowest value",
  max: "the highest value",
  sum: "the sum",
  count: "the number",
  rate: "the rate per minute",
  p95: "the 95th percentile",
};

/** Operators that compare with nothing. */
export const isWithoutThreshold = (operator: Condition["operator"]) =>
  operator === "changed" || operator === "absent";
export const hasTwoThresholds = (operator: Condition["operator"]) =>
  operator === "between" || operator === "outside";

/** What the rule adds to its condition: groups, and conditions on other targets with their names. */
export function furtherText(
  { group_by, all, any }: Condition,
  targets: { id: string; name: string; unit: string | null }[],
): string {
  const others = (all ?? any ?? []).map(({ target_id, ...other }) => {
    const target = targets.find(({ id }) => id === target_id);
    return `${any ? "or" : "and"} ${target?.name ?? "another value"}: ${conditionText(other, target?.unit)}`;
  });
  return [...(group_by ? [`counted for each ${group_by.replace("args.", "")}`] : []), ...others]
    .map((part) => `, ${part}`)
    .join("");
}

/** The condition of a rule in words: "the number over 5 min is at least 3 events". */
export function conditionText(condition: Condition, unit: string | null | undefined): string {
  const { operator, threshold, threshold_high, aggregation, window_seconds } = condition;
  const what = aggregation ? aggregationWords[aggregation] : "the value";
  const over = window_seconds && aggregation !== "each" ? ` over ${formatDuration(window_seconds)}` : "";
  const limit = (value: number | undefined) =>
    operator.startsWith("change_pct")
      ? `${value} %`
      : operator === "anomaly"
        ? `${value} times the usual deviation`
        : formatWithUnit(value, unit);
  if (isWithoutThreshold(operator)) return `${what}${over} ${operatorWords[operator]}`;
  const upper = hasTwoThresholds(operator) ? ` and ${limit(threshold_high)}` : "";
  return `${what}${over} ${operatorWords[operator]} ${limit(threshold)}${upper}`;
}
