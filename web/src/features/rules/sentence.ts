import { formatDuration, formatWithUnit } from "@/lib/text/units.ts";
import type { Condition, Rule } from "@/queries/alerts.ts";
import type { TargetType } from "@/queries/contracts.ts";

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
  return [...groupTexts(group_by), ...others].map((part) => `, ${part}`).join("");
}

function groupTexts(group_by: string | undefined): string[] {
  return group_by ? [`counted for each ${group_by.replace("args.", "")}`] : [];
}

/** A rule in a list: "Transactions: the number over 5 min is at least 3". */
export function ruleText(
  { target_type, condition }: Pick<Rule, "target_type" | "condition">,
  types: readonly TargetType[],
): string {
  const type = types.find((type) => type.target_type === target_type);
  const { all, any, group_by } = condition;
  const otherCount = (all ?? any ?? []).length;
  const parts = [
    conditionText(condition, undefined, type),
    ...groupTexts(group_by),
    ...(otherCount > 0
      ? [`${any ? "or" : "and"} ${otherCount} further ${otherCount === 1 ? "condition" : "conditions"}`]
      : []),
  ];
  return `${type?.title ?? target_type}: ${parts.join(", ")}`;
}

/** The condition of a rule in words: "the number over 5 min is at least 3 events". */
export function conditionText(
  condition: Condition,
  unit: string | null | undefined,
  type?: TargetType,
): string {
  const { operator, threshold, threshold_high, window_seconds } = condition;
  const [what, isEach] = measureOf(condition, type);
  const over = window_seconds && !isEach ? ` over ${formatDuration(window_seconds)}` : "";
  const limit = (value: number | undefined) => limitText(operator, value, unit);
  if (isWithoutThreshold(operator)) return `${what}${over} ${operatorWords[operator]}`;
  const upper = hasTwoThresholds(operator) ? ` and ${limit(threshold_high)}` : "";
  return `${what}${over} ${operatorWords[operator]} ${limit(threshold)}${upper}`;
}

/** A limit with its unit, as it follows the words of its operator. */
export function limitText(
  operator: Condition["operator"],
  threshold: number | undefined,
  unit: string | null | undefined,
): string {
  return formatWithUnit(
    threshold === undefined ? undefined : shownLimit(operator, threshold),
    limitUnit(operator, unit),
  );
}

export function limitUnit(
  operator: Condition["operator"],
  unit: string | null | undefined,
): string | null | undefined {
  if (isChange(operator)) return "%";
  return operator === "anomaly" ? "times the usual deviation" : unit;
}

/** A fall is a negative change for the service; people say by how much a value falls. Converts in both directions. */
export function shownLimit(operator: Condition["operator"], threshold: number): number {
  return operator === "change_pct_lt" && threshold !== 0 ? -threshold : threshold;
}

/** Whether the limit is compared with the value itself, so that both fit on one chart. */
export const isComparedWithValue = (operator: Condition["operator"]) =>
  !isChange(operator) && operator !== "anomaly";

const isChange = (operator: Condition["operator"]) =>
  operator === "change_pct_gt" || operator === "change_pct_lt";

/** What is compared, in words, and whether it is each reading individually. */
function measureOf(condition: Condition, type: TargetType | undefined): [string, boolean] {
  const { operator, aggregation } = condition;
  if (aggregation) return [aggregationWords[aggregation], aggregation === "each"];
  const usual = usualAggregation(condition, type);
  const isPlain = usual === undefined || usual === "last" || isWithoutThreshold(operator);
  return [isPlain ? "the value" : aggregationWords[usual], usual === "each"];
}

/** The aggregation of a condition that does not set one; undefined while the target type is unknown. */
export function usualAggregation(
  { operator, threshold = 0 }: Pick<Condition, "operator" | "threshold">,
  type: TargetType | undefined,
): Condition["aggregation"] {
  const isWindowed = !isComparedWithValue(operator);
  const isSeveral = operator === "gt" ? threshold >= 1 : threshold > 1;
  const usual =
    isWindowed || (type?.counts_occurrences && isSeveral)
      ? type?.window_aggregation
      : type?.default_aggregation;
  return usual !== undefined && usual in aggregationWords ? (usual as Condition["aggregation"]) : undefined;
}
