import { numberText } from "../../meters/words.ts";
import type { BlockPoint } from "../block-point.ts";
import type { EngineState } from "../watch/engine-state.ts";
import type { WatchedRule } from "../watch/watch-list.ts";
import { advanceRule, type Verdict } from "./advance-rule.ts";
import type { Evaluation } from "./evaluation.ts";
import type { RuleState } from "./rule-state.ts";

/** The maximum of groups of a rule that are pending or firing at the same time. */
export const maxActiveGroups = 1_000;

/** A further group does not fire before another one resolves. The rule reports that by an event of its own. */
export function limitGroups(
  engine: EngineState,
  { id, key, group }: Pick<WatchedRule, "id" | "key" | "group">,
  before: RuleState,
  verdict: Verdict,
): Verdict {
  if (group === undefined) return verdict;
  const becomesActive = before.phase === "ok" && verdict.state.phase !== "ok";
  if (becomesActive && engine.states.groups.activeCount(id) >= maxActiveGroups)
    return { state: before, step: { does: "nothing" }, reason: "too_many_groups" };
  // At once, because the groups of one block count together.
  engine.states.groups.update(key, verdict.state);
  return verdict;
}

/** Evaluates whether a rule has too many groups, as an event of the rule that is about no group. */
export function evaluateOverflow(
  engine: EngineState,
  block: BlockPoint,
  rule: WatchedRule,
): Evaluation | undefined {
  const before = engine.states.get(rule.key);
  const value = engine.states.groups.activeCount(rule.id);
  const holds = value >= maxActiveGroups;
  const at = { ...rule, for_seconds: 0, resolve_after_seconds: 0, renotify_seconds: null };
  const verdict = advanceRule(at, before, { holds, isNoData: false }, block.time);
  engine.states.markEvaluated(rule.key, block.height);
  if (verdict.state === before && verdict.step.does === "nothing") return undefined;
  const clause = `${numberText(maxActiveGroups)} groups of the rule are firing or about to`;
  const windowResult = { holds, value, clause, window: [], baseline: undefined, isNoData: false };
  return { rule, before, verdict, windowResult, cause: undefined };
}
