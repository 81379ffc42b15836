import type { Issue } from "../../errors/app-error.ts";
import { countedUnits, type Meter } from "../../meters/meter.ts";
import { compares } from "../../pipeline/index.ts";
import type { PlainCondition, RuleCondition } from "../../wire/alerts/rule-condition.ts";
import type { RuleSubject } from "./rule-subject.ts";
import { isEach } from "./timing-issues.ts";

/** The window of a rule that does not set one. */
const defaultWindowSeconds = 300;

/** Finds thresholds and windows that do not fit what the target yields, so that the condition could never hold as meant. */
export function unitIssues(
  condition: Comparison,
  meter: Meter,
  subject: RuleSubject | undefined,
  loc: Issue["loc"] = ["body", "condition"],
): Issue[] {
  const issues = [
    ...aggregationIssues(condition, meter),
    ...boundIssues(condition, meter),
    ...countIssues(condition, meter),
    ...windowIssues(condition, meter, subject),
  ];
  return issues.map(({ field, msg }) => ({ loc: [...loc, field], msg, type: "value_error" }));
}

/** A condition on one target. Only that of the rule itself has a matcher. */
type Comparison = PlainCondition & Pick<RuleCondition, "match">;
type Found = { field: string; msg: string };

/** Returns the condition with a window, which for polled state holds at least two readings. */
export function withWindow<Condition extends Comparison>(
  condition: Condition,
  meter: Meter | undefined,
  subject: RuleSubject | undefined,
): Condition {
  if (condition.window_seconds !== undefined || isEach(condition, meter)) return condition;
  return widened({ ...condition, window_seconds: defaultWindowSeconds }, meter, subject);
}

/** Returns the condition with its window, or with a longer one if polled state needs it for two readings. */
export function widened<Condition extends Comparison>(
  condition: Condition,
  meter: Meter | undefined,
  subject: Pick<RuleSubject, "pollingSeconds"> | undefined,
): Condition {
  const { window_seconds = 0 } = condition;
  if (!meter || isEach(condition, meter) || !isPolled(condition, meter)) return condition;
  return { ...condition, window_seconds: Math.max(window_seconds, 2 * (subject?.pollingSeconds ?? 0)) };
}

function issue(field: string, msg: string): Found {
  return { field, msg };
}

function aggregationIssues(condition: Comparison, meter: Meter): Found[] {
  if (!isEach(condition, meter) || !meter.summarise) return [];
  return [issue("aggregation", `cannot be each: ${meter.type} is computed over a window; use last`)];
}

const comparisons: ReadonlySet<string> = new Set("gt gte lt lte eq neq between outside".split(" "));
/** Aggregations whose result has the unit of the readings. */
const keepsUnit: ReadonlySet<string> = new Set("each last avg min max p95".split(" "));

/** A share is at most 1; a larger number is usually meant as a percentage. */
function boundIssues(condition: Comparison, meter: Meter): Found[] {
  const isBounded = meter.unit === "share" || meter.unit === "0 or 1";
  const aggregation = condition.aggregation ?? meter.aggregation;
  if (!isBounded || !comparisons.has(condition.operator) || !keepsUnit.has(aggregation)) return [];
  return (["threshold", "threshold_high"] as const).flatMap((field) => {
    const value = condition[field];
    if (value === undefined || (value >= 0 && value <= 1)) return [];
    const range = meter.unit === "share" ? "is a share from 0 to 1" : "is 0 or 1";
    const isPercentage = meter.unit === "share" && value > 1 && value <= 100;
    return [
      issue(field, `${range}, not ${value}${isPercentage ? `; for ${value} % use ${value / 100}` : ""}`),
    ];
  });
}

function countIssues(condition: Comparison, meter: Meter): Found[] {
  const { operator, threshold, threshold_high } = condition;
  if (!isEach(condition, meter) || !countedUnits.has(meter.unit)) return [];
  if (operator === "changed") {
    // The state that such a target reads can change; a count of ones cannot.
    if (meter.reads) return [];
    return [
      issue(
        "operator",
        `cannot be changed: every reading of ${meter.type} is 1; use gte with the threshold 1`,
      ),
    ];
  }
  const bounds = { threshold: threshold ?? null, threshold_high: threshold_high ?? Number.POSITIVE_INFINITY };
  if (compares({ operator, ...bounds }, 1)) return [];
  const msg = `can never hold with the aggregation each: every reading of ${meter.type} is 1; to count them over a window, use the aggregation count`;
  return [issue("threshold", msg)];
}

function isPolled({ match }: Comparison, meter: Meter): boolean {
  return meter.reads !== undefined && !match;
}

function windowIssues(condition: Comparison, meter: Meter, subject: RuleSubject | undefined): Found[] {
  const { window_seconds } = condition;
  if (!subject || window_seconds === undefined || isEach(condition, meter) || !isPolled(condition, meter))
    return [];
  const { pollingSeconds } = subject;
  if (window_seconds >= 2 * pollingSeconds) return [];
  const msg =
    `must be at least ${2 * pollingSeconds}: the state is read every ${pollingSeconds} seconds, ` +
    "and a window needs two readings";
  return [issue("window_seconds", msg)];
}
