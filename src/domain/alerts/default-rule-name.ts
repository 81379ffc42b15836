import { numberText } from "../../meters/words.ts";
import type { RuleCondition } from "../../wire/alerts/rule-condition.ts";

const maxLength = 200;

/** The name of a rule that got none: what it measures and when it fires, such as "Native balance below 5". */
export function defaultRuleName(
  targetName: string,
  { operator, threshold = 0, threshold_high = 0 }: RuleCondition,
): string {
  const words: Record<RuleCondition["operator"], string> = {
    gt: `above ${numberText(threshold)}`,
    gte: `at least ${numberText(threshold)}`,
    lt: `below ${numberText(threshold)}`,
    lte: `at most ${numberText(threshold)}`,
    eq: `exactly ${numberText(threshold)}`,
    neq: `not ${numberText(threshold)}`,
    between: `between ${numberText(threshold)} and ${numberText(threshold_high)}`,
    outside: `outside ${numberText(threshold)} to ${numberText(threshold_high)}`,
    change_pct_gt:
      threshold >= 0 ? `up by ${numberText(threshold)} %` : `change above ${numberText(threshold)} %`,
    change_pct_lt:
      threshold <= 0
        ? `down by ${numberText(Math.abs(threshold))} %`
        : `change below ${numberText(threshold)} %`,
    changed: "changed",
    anomaly: "unusual",
    absent: "missing",
  };
  return `${targetName} ${words[operator]}`.slice(0, maxLength);
}
