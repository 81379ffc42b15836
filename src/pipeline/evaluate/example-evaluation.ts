import type { TimedReading } from "../../meters/meter.ts";
import type { WatchedRule } from "../watch/watch-list.ts";
import { combineParts } from "./evaluate-parts.ts";
import { describeClause, type WindowResult } from "./evaluate-window.ts";
import type { Evaluation } from "./evaluation.ts";
import { namePlaceholders } from "./message-variables.ts";
import { initialState } from "./rule-state.ts";

/** What an evaluation would be in which the condition of a rule holds. `others` are the values of its further conditions. */
export function exampleEvaluation(
  rule: WatchedRule,
  {
    value,
    others,
    reading,
  }: { value: number | null; others: (number | null)[]; reading?: TimedReading | undefined },
): Evaluation {
  const result = exampleResult(describeClause(rule.condition, value), value, reading);
  const further = rule.others.map(({ part }, index) => {
    const one = others[index] ?? null;
    return exampleResult(describeClause(part.condition, one), one);
  });
  return {
    rule: {
      ...rule,
      ...(rule.group_by && { group: "‹group›" }),
      message_template: rule.message_template && namePlaceholders(rule.message_template, reading),
    },
    before: initialState,
    verdict: { state: initialState, step: { does: "nothing" }, reason: "first_breach" },
    windowResult:
      further.length > 0
        ? { ...result, ...combineParts(rule.combines, [rule, ...rule.others], [result, ...further]) }
        : result,
    cause: reading,
  };
}

function exampleResult(clause: string, value: number | null, reading?: TimedReading): WindowResult {
  return {
    holds: true,
    isNoData: false,
    baseline: undefined,
    value,
    clause,
    window: reading ? [reading] : [],
  };
}
