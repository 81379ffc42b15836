import { durationText } from "../../lib/text.ts";
import { reducedName, spanText } from "../../meters/measured-text.ts";
import { countedUnits, unitOn } from "../../meters/meter.ts";
import {
  briefWords,
  fullWords,
  type Names,
  numberText,
  percentText,
  type Words,
} from "../../meters/words.ts";
import { groupName } from "../measure/group-of.ts";
import { describedReading } from "./described-reading.ts";
import { isChangePercent } from "./evaluate-window.ts";
import type { Evaluation } from "./evaluation.ts";
import type { Condition } from "./rule.ts";

/**
 * The texts of an event: one line for a lock screen, and a paragraph with whole addresses and the limit. Both write the
 * addresses that have a name as `Label (0x1234…abcd)`.
 */
export function eventText(evaluation: Evaluation, names: Names): { title: string; message: string } {
  const { contract } = evaluation.rule.target;
  const where = `${contract.label} on ${contract.subject.chain.name}`;
  const limit = limitText(evaluation);
  const [brief, full] = [briefWords(names), fullWords(names)];
  return {
    title: `${where}: ${whatHappened(evaluation, brief)}${groupPart(evaluation, brief)}`,
    message:
      `${where}: ${whatHappened(evaluation, full)}${groupPart(evaluation, full)}.` +
      `${limit && ` ${limit}.`}${otherConditions(evaluation)}`,
  };
}

function groupPart({ rule: { group_by, group } }: Evaluation, words: Words): string {
  return group_by && group !== undefined ? `, ${groupName(group_by)} ${words.address(group)}` : "";
}

/** The clauses of a rule with several conditions, in the words of the explanation. */
function otherConditions({ rule, windowResult }: Evaluation): string {
  if (!windowResult.conditions) return "";
  return ` The rule combines ${windowResult.conditions.length} conditions (${rule.combines}): ${windowResult.clause}.`;
}

function whatHappened(evaluation: Evaluation, words: Words): string {
  const { rule, windowResult } = evaluation;
  const { condition, target } = rule;
  const { meter, config, contract } = target;
  const span = durationText(condition.window_seconds);
  const { value } = windowResult;
  if (rule.group_by && rule.group === undefined) {
    const groups = `${groupName(rule.group_by)} groups`;
    return `${windowResult.clause}; the rule reports further ${groups} only after others have resolved`;
  }
  if (windowResult.isNoData) return `${windowResult.clause.replace(/\d+ s$/, span)} (${meter.title})`;
  if (condition.operator === "absent") return `no ${meter.unit} for ${span}`;
  if (value === null) return `${meter.title}: ${windowResult.clause}`;
  if (isChangePercent(condition)) return percentChange(evaluation, value);
  const described = meter.describe?.(
    config,
    { ...condition, ...describedReading(evaluation), isEach: rule.isEach, value, words },
    contract.subject,
  );
  return `${described ?? valueText(evaluation, value)}${baselineText(evaluation)}`;
}

/** The percentage alone does not say how much there was, and how much is left. */
function percentChange({ rule, windowResult }: Evaluation, percent: number): string {
  const { meter } = rule.target;
  const newest = windowResult.window.at(-1)?.value;
  const verb = percent < 0 ? "fell" : "rose";
  const { base } = windowResult;
  const amount = (value: number) => amountText(value, unitOf(rule));
  const from = base === undefined ? "" : ` from ${amount(base)}`;
  const to = newest === undefined ? "" : `,${from} to ${amount(newest)}`;
  const span = durationText(rule.condition.window_seconds);
  return `${meter.title} ${verb} by ${percentText(Math.abs(percent) / 100)} in ${span}${to}`;
}

/** The value with its unit, and what it was computed from. */
function valueText({ rule }: Evaluation, value: number): string {
  const { meter } = rule.target;
  const { aggregation } = rule.condition;
  const amount = amountText(value, unitOf(rule));
  const span = spanText(rule.condition);
  if (aggregation === "count" || aggregation === "sum" || aggregation === "rate") return `${amount} ${span}`;
  const name = reducedName(aggregation);
  return name ? `${meter.title}: ${name} of ${amount} ${span}` : `${meter.title}: ${amount}`;
}

function amountText(value: number, unit: string): string {
  if (unit === "share") return percentText(value);
  if (unit === "seconds") return durationText(value);
  if (unit === "%") return `${numberText(value)} %`;
  return unspecific.has(unit) ? numberText(value) : `${numberText(value)} ${unit}`;
}

/** What the value of a rule counts in: a window that is counted has readings, whatever their unit. */
function unitOf({ target, condition, isEach }: Evaluation["rule"]): string {
  const { meter, config, contract } = target;
  const isCount = !isEach && condition.aggregation === "count";
  if (isCount && !countedUnits.has(meter.unit)) return "readings";
  return unitOn(meter, config, contract.subject.chain);
}

/** Units that say nothing to a reader. */
const unspecific = new Set(["value", "units", "token units", "price", "0 or 1"]);

function baselineText({ windowResult }: Evaluation): string {
  const { baseline } = windowResult;
  return baseline ? `, usually about ${numberText(baseline.median)}` : "";
}

/** What the rule compares with; empty where it compares with nothing. */
function limitText({ rule, windowResult }: Evaluation): string {
  const { operator, threshold, threshold_high } = rule.condition;
  // That something happened says everything that "at or above 1" would.
  const isCertain = rule.isEach && threshold === 1;
  if (threshold === null || windowResult.isNoData || isCertain) return "";
  const unit = unitOf(rule);
  const rate = !rule.isEach && rule.condition.aggregation === "rate" ? " a minute" : "";
  const isPercent = isChangePercent(rule.condition);
  const amount = (value: number) =>
    isPercent
      ? `${numberText(value)} %`
      : operator === "anomaly"
        ? numberText(value)
        : `${amountText(value, unit)}${rate}`;
  const bound =
    operator === "between" || operator === "outside"
      ? `${amount(threshold)} and ${amount(threshold_high)}`
      : amount(threshold);
  return `The rule “${rule.name}” fires ${limitWords[operator]} ${bound}`;
}

const limitWords: Record<Condition["operator"], string> = {
  gt: "above",
  gte: "at or above",
  lt: "below",
  lte: "at or below",
  eq: "at exactly",
  neq: "at anything but",
  between: "between",
  outside: "outside",
  change_pct_gt: "on a change above",
  change_pct_lt: "on a change below",
  changed: "",
  anomaly: "at an anomaly score above",
  absent: "",
};
