import type { TimedReading } from "../../meters/meter.ts";
import type { WatchedRule } from "../watch/watch-list.ts";
import type { Verdict } from "./advance-rule.ts";
import type { WindowResult } from "./evaluate-window.ts";
import type { Occurrence } from "./occurrences.ts";
import type { RuleState } from "./rule-state.ts";

/** The result of evaluating one rule at one block. */
export type Evaluation = {
  rule: WatchedRule;
  /** The state before this block. */
  before: RuleState;
  verdict: Verdict;
  windowResult: WindowResult;
  /** The reading that made the condition hold; undefined when only time passed. */
  cause: TimedReading | undefined;
  /** Present for an event of an `each` rule. */
  occurrence?: Occurrence;
};
