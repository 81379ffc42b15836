import type { RuleState } from "../evaluate/rule-state.ts";
import type { WatchedRule } from "./watch-list.ts";

/** The rule may have become due while it was paused or had another condition, so it is evaluated at the next block. */
export function mayBeOverdue(
  { isEach, condition, no_data, others }: WatchedRule,
  { phase }: RuleState,
): boolean {
  if (isEach) return false;
  if (others.some(({ part }) => part.condition.operator === "absent")) return true;
  return phase !== "ok" || condition.operator === "absent" || no_data === "alert";
}

/** Returns whether a condition of the rule is about state, whose readings may come later than the blocks. */
export function readsState({ target, others }: WatchedRule): boolean {
  return [target, ...others.map((other) => other.target)].some(({ meter }) => meter.reads);
}
