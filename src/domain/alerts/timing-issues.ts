import type { Issue } from "../../errors/app-error.ts";
import { defaultAggregation, type Meter } from "../../meters/meter.ts";
import type { PlainCondition, RuleCondition } from "../../wire/alerts/rule-condition.ts";
import type { RuleUpdate } from "../../wire/alerts/rules.ts";

/** The fields of a rule that must fit its aggregation. */
export type Timing = Pick<RuleUpdate, "for_seconds" | "renotify_seconds" | "no_data"> & {
  condition?: RuleCondition | undefined;
};

/** Returns whether a condition evaluates each reading individually. The readings of an unknown target type are never evaluated. */
export function isEach(condition: PlainCondition, meter: Meter | undefined): boolean {
  return (condition.aggregation ?? (meter && defaultAggregation(meter, condition))) === "each";
}

/** Finds settings that have no meaning for a rule with the aggregation `each`: what occurs does not last. */
export function timingIssues(rule: Timing, meter: Meter | undefined): Issue[] {
  if (!rule.condition) return [];
  const issue = (field: string, msg: string): Issue => ({ loc: ["body", field], msg, type: "value_error" });
  const { group_by, all, any } = rule.condition;
  if (!isEach(rule.condition, meter)) {
    if (rule.no_data !== "alert" || !(group_by ?? all ?? any)) return [];
    const msg =
      "must be ignore for a rule with groups or several conditions; make a rule of its own for missing data";
    return [issue("no_data", msg)];
  }
  return [
    ...((rule.for_seconds ?? 0) > 0
      ? [issue("for_seconds", "must be 0 with the aggregation each: an occurrence has no duration")]
      : []),
    ...(typeof rule.renotify_seconds === "number"
      ? [issue("renotify_seconds", "must be null with the aggregation each: an occurrence does not continue")]
      : []),
    ...(rule.no_data === "alert"
      ? [issue("no_data", "must be ignore with the aggregation each, which has no window without data")]
      : []),
  ];
}
