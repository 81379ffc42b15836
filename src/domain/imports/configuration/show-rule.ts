import type { RuleRow } from "../../../store/alerts/rules.ts";
import type { Work } from "./change-log.ts";
import type { ShownRule } from "./compare-rules.ts";
import type { TargetState } from "./org-state.ts";
import { toConfigRule } from "./to-document.ts";

/** Returns a function that converts rules of a contract to the form of a document. */
export function makeRuleDisplay(
  { channelRefs }: Pick<Work, "channelRefs">,
  targets: readonly TargetState[],
): (row: RuleRow) => ShownRule {
  // The further conditions of a rule are on targets of the same contract.
  const names = new Map(targets.map(({ row }) => [row.id, row.name]));
  return (row) =>
    toConfigRule(
      row,
      (id) => channelRefs.get(id),
      (id) => names.get(id),
    );
}
