import type { TimedReading } from "../../meters/meter.ts";
import type { WatchedRule } from "../watch/watch-list.ts";
import { describe } from "./describe-alert.ts";
import { describeClause } from "./evaluate-window.ts";
import type { Evaluation } from "./evaluation.ts";
import { namePlaceholders } from "./message-variables.ts";
import { initialState } from "./rule-state.ts";

/** The texts of an event that a rule could fire, in the words of a real one. */
export function describeExample(
  rule: WatchedRule,
  value: number | null,
  reading: TimedReading | undefined,
): { title: string; message: string; clause: string } {
  const clause = describeClause(rule.condition, value);
  const evaluation: Evaluation = {
    rule: {
      ...rule,
      ...(rule.group_by && { group: "‹group›" }),
      message_template: rule.message_template && namePlaceholders(rule.message_template, reading),
    },
    before: initialState,
    verdict: { state: initialState, step: { does: "nothing" }, reason: "first_breach" },
    windowResult: {
      ...{ holds: true, isNoData: false, baseline: undefined, value, clause },
      window: reading ? [reading] : [],
    },
    cause: reading,
  };
  const { title, message } = describe(evaluation);
  return { title, message, clause };
}
