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

/** The rule that an input changes. */
export type RuleBefore = Timing & { target_id: string; message_template: string | null };

/**
 * Finds errors in a rule beyond its schema: names that do not exist, and thresholds, windows and durations that do not fit the
 * target. `before` is the rule that the input changes: what stays the same on the same target is not checked again.
 */
export function ruleIssues(
  input: RuleUpdate,
  { target_type, config, subject, siblings }: RuleTarget,
  before?: RuleBefore,
): Issue[] {
  const meter = meterOf(target_type);
  const condition = input.condition ?? before?.condition;
  const checked = isSame(input, before) ? undefined : condition;
  const naming = { meter, match: condition?.match, config, naming: subject };
  // The variables of a stored message depend on the target and on what the condition matches.
  const template = input.message_template === undefined && checked ? before?.message_template : undefined;
  return [
    ...(checked ? conditionIssues(checked, subject) : []),
    ...(checked && meter ? unitIssues(checked, meter, subject) : []),
    ...(checked && meter ? groupIssues(checked, meter, naming) : []),
    ...(checked ? otherIssues(checked, meter, { siblings, subject }) : []),
    ...timingIssues({ ...before, ...input }, meter),
    ...templateIssues(input.message_template ?? template, naming),
  ];
}

/** Returns whether something in the input depends on the contract of the rule, so that it has to be loaded. */
export function concernsContract(input: RuleUpdate, before: RuleBefore | undefined): boolean {
  return !before || isMove(input, before) || !!input.condition || !!input.message_template;
}

/** Returns whether the input moves the rule to another target: its condition has to fit that one. */
export function isMove({ target_id }: RuleUpdate, before: RuleBefore | undefined): boolean {
  return before !== undefined && target_id !== undefined && target_id !== before.target_id;
}

function isSame(input: RuleUpdate, before: RuleBefore | undefined): boolean {
  if (isMove(input, before)) return false;
  return !input.condition || isDeepStrictEqual(input.condition, before?.condition);
}
