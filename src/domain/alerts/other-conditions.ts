import type { Issue } from "../../errors/app-error.ts";
import { meterOf } from "../../meters/index.ts";
import type { Meter } from "../../meters/meter.ts";
import type { OtherCondition, RuleCondition } from "../../wire/alerts/rule-condition.ts";
import type { RuleSubject } from "./rule-subject.ts";
import { isEach } from "./timing-issues.ts";
import { unitIssues } from "./unit-issues.ts";

/** The contract of a rule and its targets. */
type Context = {
  subject: RuleSubject | undefined;
  siblings: readonly { id: string; target_type: string }[];
};

/** Finds errors in the further conditions of a rule: other contracts' targets, and units and windows that do not fit. */
export function otherIssues(condition: RuleCondition, meter: Meter | undefined, context: Context): Issue[] {
  const { all, any } = condition;
  const field = all ? "all" : "any";
  const issues = (all ?? any ?? []).flatMap((other, index) =>
    conditionIssues(other, ["body", "condition", field, index], context),
  );
  if (!any || !isEach(condition, meter)) return issues;
  const msg =
    "cannot be used with the aggregation each: an occurrence counts if all other conditions hold; use all";
  return [...issues, { loc: ["body", "condition", "any"], msg, type: "value_error" }];
}

function conditionIssues(other: OtherCondition, loc: Issue["loc"], { subject, siblings }: Context): Issue[] {
  const { target_id, ...given } = other;
  const target = siblings.find(({ id }) => id === target_id);
  if (!target)
    return [{ loc: [...loc, "target_id"], msg: "is not a target of the same contract", type: "value_error" }];
  const meter = meterOf(target.target_type);
  if (!meter) return [];
  const condition = { aggregation: meter.aggregation, ...given };
  const units = unitIssues(condition, meter, subject, loc);
  if (!isEach(condition, meter)) return units;
  const msg = `cannot be each, which is about single readings; leave it out for ${meter.aggregation} over a window`;
  return [...units, { loc: [...loc, "aggregation"], msg, type: "value_error" }];
}
