import { isDeepStrictEqual } from "node:util";
import type { Issue } from "../../errors/app-error.ts";
import { meterOf } from "../../meters/index.ts";
import type { RuleUpdate } from "../../wire/alerts/rules.ts";
import { groupIssues } from "./group-issues.ts";
import { otherIssues } from "./other-conditions.ts";
import { conditionIssues } from "./rule-condition.ts";
import type { RuleSubject } from "./rule-subject.ts";
import { templateIssues } from "./template-variables.ts";
import { type Timing, timingIssues } from "./timing-issues.ts";
import { unitIssues } from "./unit-issues.ts";

/** The target of a rule and its contract. */
export type RuleTarget = {
  target_type: string;
  config: Record<string, unknown>;
  subject: RuleSubject | undefined;
  /** The targets of the same contract, which further conditions may be on. */
  siblings: readonly { id: string; target_type: string }[];
};

/**
 * Finds errors in a rule beyond its schema: names that do not exist, and thresholds, windows and durations that do not fit the
 * target. `before` is the rule that the input changes: what stays the same is not checked again.
 */
export function ruleIssues(
  input: RuleUpdate,
  { target_type, config, subject, siblings }: RuleTarget,
  before?: Timing,
): Issue[] {
  const meter = meterOf(target_type);
  const isNew = input.condition && !isDeepStrictEqual(input.condition, before?.condition);
  const condition = input.condition ?? before?.condition;
  const naming = { match: condition?.match, config, naming: subject };
  return [
    ...(isNew && input.condition ? conditionIssues(input.condition, subject) : []),
    ...(isNew && input.condition && meter ? unitIssues(input.condition, meter, subject) : []),
    ...(isNew && input.condition && meter ? groupIssues(input.condition, meter, naming) : []),
    ...(isNew && input.condition ? otherIssues(input.condition, meter, { siblings, subject }) : []),
    ...timingIssues({ ...before, ...input }, meter),
    ...templateIssues(input.message_template, naming),
  ];
}
