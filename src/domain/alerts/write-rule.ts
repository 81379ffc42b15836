import { isDeepStrictEqual } from "node:util";
import { scheduleSteps } from "../../store/alerts/escalations.ts";
import { deleteRule, type RuleRow, updateRule } from "../../store/alerts/rules.ts";
import { deleteStatesOf } from "../../store/engine/rule-states.ts";
import { recordWatchChange } from "../../store/engine/watch.ts";
import type { RuleUpdate } from "../../wire/alerts/rules.ts";
import { updateSavedNames } from "../contracts/name-status.ts";
import type { WriteContext } from "../write-context.ts";
import { resolvingAlerts } from "./end-alerts.ts";
import { type LoadContract, requireValidTarget } from "./rule-input.ts";
import { columnsOf } from "./rule-row.ts";

/** Changes a rule. Whether the caller may change it is checked before, except for its new target. */
export async function writeRule(
  { app, tx, caller, effects: { audit, hint } }: WriteContext,
  before: RuleRow,
  update: RuleUpdate,
  load?: LoadContract,
): Promise<void> {
  const { id: rule_id } = before;
  const on = update.target_id ?? before.target_id;
  const { target, checked: input } = await requireValidTarget({ app, tx, caller }, on, update, before, load);
  // A disabled rule cannot continue from its old state, so disabling starts a new version too.
  const startsNewVersion =
    target.id !== before.target_id || isConditionChanged(before, input) || input.is_enabled === false;
  const change = () =>
    updateRule(tx, caller.org_id, rule_id, {
      ...columnsOf(input),
      ...(input.name !== undefined && { name: input.name }),
      ...(input.severity !== undefined && { severity: input.severity }),
      ...(input.condition !== undefined && { condition: JSON.stringify(input.condition) }),
      ...(input.target_id !== undefined && { target_id: input.target_id, contract_id: target.contract_id }),
      startsNewVersion,
      updated_at: app.clock.now(),
    });
  // Events of the previous version are resolved.
  const ending = { org_id: caller.org_id, of: { rule_id } };
  await (startsNewVersion ? resolvingAlerts(app, tx, { hint }, ending, change) : change());
  if (startsNewVersion) await deleteStatesOf(tx, rule_id);
  else if (input.escalation && !isDeepStrictEqual(input.escalation, before.escalation))
    await scheduleSteps(tx, { rule_id }, app.clock.now());
  await recordWatchChange(tx, before.chain, before.contract_id);
  if (target.contract_id !== before.contract_id)
    await recordWatchChange(tx, target.chain, target.contract_id);
  for (const id of new Set([before.contract_id, target.contract_id]))
    await updateSavedNames(app, tx, { id, org_id: caller.org_id }, { rules: [before, input] });
  const subject = { type: "rule", id: rule_id };
  audit({ org_id: caller.org_id, action: "rule.updated", subject, details: { fields: Object.keys(input) } });
  hint({ topic: "watch.changed" });
}

/** Deletes a rule and ends its open events. Returns false if it is gone already. */
export async function endRule(
  { app, tx, caller, effects: { audit, hint } }: WriteContext,
  rule: RuleRow,
): Promise<boolean> {
  const { id: rule_id, name, chain, contract_id } = rule;
  const ending = { org_id: caller.org_id, of: { rule_id } };
  const isDeleted = await resolvingAlerts(app, tx, { hint }, ending, () =>
    deleteRule(tx, caller.org_id, rule_id),
  );
  if (!isDeleted) return false;
  await recordWatchChange(tx, chain, contract_id);
  await updateSavedNames(app, tx, { id: contract_id, org_id: caller.org_id }, { rules: [rule] });
  const subject = { type: "rule", id: rule_id };
  audit({ org_id: caller.org_id, action: "rule.deleted", subject, details: { name } });
  hint({ topic: "watch.changed" });
  return true;
}

/** An update with an equal condition is not a change. */
function isConditionChanged(before: RuleRow, { condition }: RuleUpdate): boolean {
  return condition !== undefined && !isDeepStrictEqual(condition, before.condition);
}
