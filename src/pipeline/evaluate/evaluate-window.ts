import type { Baseline } from "../../lib/anomaly/baseline.ts";
import type { TimedReading } from "../../meters/meter.ts";
import type { Series } from "../watch/series.ts";
import { aggregate, type Summarise } from "./aggregate.ts";
import { baselineBefore, scoreOf } from "./baseline.ts";
import {
  compares,
  coversWindow,
  evaluateValue,
  isComparison,
  type RuleWindow,
  type WindowValue,
} from "./evaluate-value.ts";
import { type Condition, type ConditionPart, type Operator, silenceOf } from "./rule.ts";

/** The result of evaluating a rule's condition over its window. */
export type WindowResult = {
  /** Null when there is too little data to tell. */
  holds: boolean | null;
  value: number | null;
  /** The evaluated condition as text. */
  clause: string;
  window: readonly TimedReading[];
  /** The newest reading before the window; only of a polled target. */
  before?: TimedReading | undefined;
  baseline: Baseline | undefined;
  /** What a change in percent is measured from. */
  base?: number;
  /** It holds because there is no data, which the rule is configured to report. */
  isNoData: boolean;
  /** The conditions of a rule with several, each with its own value. */
  conditions?: readonly EvaluatedCondition[];
};

/** One of several conditions of a rule, as the explanation of an event shows it. */
export type EvaluatedCondition = { target_id: string; target_type: string } & Pick<
  WindowResult,
  "clause" | "value" | "holds"
>;

/** Evaluates a condition over the window that ends at block time `now`. */
export function evaluateWindow(
  rule: ConditionPart,
  series: Series,
  now: number,
  summarise: Summarise | undefined,
): WindowResult {
  const { condition } = rule;
  const window = series.between(now - condition.window_seconds, now);
  const result = applyOperator({ rule, series, window, now, summarise });
  if (result.holds === null && isMissingData(rule, window, series, now)) {
    const clause = `no data for ${silenceOf(rule)} s`;
    return { window, baseline: undefined, clause, value: null, holds: true, isNoData: true };
  }
  if (window.length === 0 && rule.isPolled && !summarise) {
    const held = evaluateHeldValue(condition, series.at(now));
    if (held) return { ...held, baseline: undefined, isNoData: false };
  }
  // The activity has left the window, so the breach is over; the next one is a new event.
  const holds = result.holds ?? (!rule.isPolled && window.length === 0 ? false : null);
  const clause = describeClause(condition, result.value);
  // After a restart, only the series of a polled target have the reading before the window.
  const before = rule.isPolled ? series.at(now - condition.window_seconds) : undefined;
  return { window, before, baseline: undefined, isNoData: false, clause, ...result, holds };
}

/** State is as it was last read: the newest reading counts even if it came too late for the window. */
function evaluateHeldValue(
  condition: Condition,
  newest: TimedReading | undefined,
): Pick<WindowResult, "value" | "holds" | "clause" | "window"> | undefined {
  if (!newest || condition.aggregation !== "last" || !isComparison(condition)) return undefined;
  const { value } = newest;
  const clause = describeClause(condition, value);
  return { value, holds: compares(condition, value), clause, window: [newest] };
}

/** A rule with `no_data: "alert"` reports an empty window, once it has observed a whole one. */
function isMissingData(
  rule: ConditionPart,
  window: readonly TimedReading[],
  series: Series,
  now: number,
): boolean {
  return rule.no_data === "alert" && window.length === 0 && isSilent(rule, series, now);
}

/** True if there has been no reading for a whole window that the rule observed, and for longer than between two polls. */
function isSilent(rule: ConditionPart, series: Series, now: number): boolean {
  const since = Math.max(series.at(now)?.time ?? rule.since, rule.since);
  return coversWindow(rule, now) && now - since >= silenceOf(rule);
}

type OperatorResult = WindowValue & { baseline?: Baseline; base?: number };

function applyOperator(ruleWindow: RuleWindow): OperatorResult {
  const { rule } = ruleWindow;
  switch (rule.condition.operator) {
    case "absent":
      return evaluateAbsence(ruleWindow);
    case "changed":
      return evaluateChange(ruleWindow);
    case "change_pct_gt":
    case "change_pct_lt":
      return (
        changePercentOf(rule.condition, ruleWindow.series, ruleWindow.now) ?? { value: null, holds: null }
      );
    case "anomaly":
      return rule.isScore ? evaluateScore(ruleWindow) : evaluateAnomaly(ruleWindow);
    default:
      return evaluateValue(ruleWindow);
  }
}

/** An empty window is certain only after the rule has observed a whole one. */
function evaluateAbsence({ rule, series, window, now }: RuleWindow): OperatorResult {
  if (window.length > 0) return { value: window.length, holds: false };
  return { value: 0, holds: isSilent(rule, series, now) ? true : null };
}

/** Holds when a reading in the window differs from the one before it. */
function evaluateChange({ rule, series, window, now }: RuleWindow): OperatorResult {
  const newest = window.at(-1);
  if (!newest) return { value: null, holds: null };
  let before = series.at(now - rule.condition.window_seconds);
  for (const reading of window) {
    if (before && comparedPart(before) !== comparedPart(reading)) return { value: newest.value, holds: true };
    before = reading;
  }
  return { value: newest.value, holds: false };
}

/** A meter that observes more than a number puts the part to compare under `state`. */
export function comparedPart(reading: TimedReading): unknown {
  return reading.evidence?.state ?? reading.value;
}

export function isChangePercent({ operator }: Condition): boolean {
  return operator === "change_pct_gt" || operator === "change_pct_lt";
}

/**
 * The change from the value at the start of the window to the newest one, in percent of the former. Undefined with too little
 * data to tell.
 */
export function changePercentOf(
  { operator, threshold, window_seconds }: Condition,
  series: Series,
  now: number,
): (OperatorResult & { value: number }) | undefined {
  const start = now - window_seconds;
  const newest = series.at(now);
  const base = series.at(start) ?? series.nextAfter(start);
  if (!newest || newest.time <= start || !base || base.value === 0 || threshold === null) return undefined;
  const value = ((newest.value - base.value) / Math.abs(base.value)) * 100;
  const holds = operator === "change_pct_gt" ? value > threshold : value < threshold;
  return { value, base: base.value, holds };
}

/** The value is an anomaly score already, so it is compared with the threshold directly. */
function evaluateScore({ rule, window, summarise }: RuleWindow): OperatorResult {
  const { aggregation, window_seconds, threshold } = rule.condition;
  const value = aggregate(aggregation, window, window_seconds, summarise);
  return { value, holds: value === null || threshold === null ? null : value > threshold };
}

function evaluateAnomaly({ rule, series, now, summarise }: RuleWindow): OperatorResult {
  const { aggregation, window_seconds, threshold } = rule.condition;
  const valueAt = (end: number) =>
    aggregate(aggregation, series.between(end - window_seconds, end), window_seconds, summarise);
  const baseline = baselineBefore(series, now, window_seconds, valueAt);
  const value = valueAt(now);
  if (!baseline || value === null || threshold === null) return { value: null, holds: null };
  return { value, baseline, holds: scoreOf(value, baseline, aggregation) > threshold };
}

const operatorText: Record<Operator, string> = {
  gt: "above",
  gte: "at least",
  lt: "below",
  lte: "at most",
  eq: "equal to",
  neq: "other than",
  between: "between",
  outside: "outside",
  change_pct_gt: "change in % above",
  change_pct_lt: "change in % below",
  changed: "changed",
  anomaly: "anomaly score above",
  absent: "absent",
};

export function describeClause(condition: Condition, value: number | null): string {
  const { operator, aggregation, window_seconds } = condition;
  const subject = `${aggregation} over ${window_seconds} s`;
  if (operator === "changed" || operator === "absent") return `${subject}: ${operatorText[operator]}`;
  return `${subject} ${describeComparison(condition, value)}`;
}

/** Describes a value and what it was compared with, such as "is 7: above 5". */
export function describeComparison(
  { operator, threshold, threshold_high }: Condition,
  value: number | null,
): string {
  const isRange = operator === "between" || operator === "outside";
  const bound = isRange ? ` ${threshold} and ${threshold_high}` : ` ${threshold}`;
  return `is ${value ?? "unknown"}: ${operatorText[operator]}${operator === "changed" ? "" : bound}`;
}
