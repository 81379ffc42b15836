import type { RuleState } from "../../store/engine/rule-state.ts";

export { initialState, type RuleState } from "../../store/engine/rule-state.ts";

/** An episode that began during the cooldown: people are notified when the cooldown ends, if it still lasts. */
export function isUnnotified(state: RuleState): boolean {
  return state.phase === "firing" && !state.is_notified;
}
