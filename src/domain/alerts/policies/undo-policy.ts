import { adoptTarget, findPolicyRule, reassignTarget } from "../../../store/alerts/policy-rules.ts";
import { listObservers } from "../../../store/alerts/rules.ts";
import { lockTarget } from "../../../store/contracts/targets.ts";
import { endTarget } from "../../contracts/targets.ts";
import type { WriteContext } from "../../write-context.ts";
import { endRule } from "../write-rule.ts";

/**
 * Removes the rule of a policy from a contract, and its target if a policy created it and nothing else uses it. Returns whether
 * there was a rule.
 */
export async function undoPolicy(
  context: WriteContext,
  policy_id: string,
  contract_id: string,
): Promise<boolean> {
  const { tx, caller } = context;
  const rule = await findPolicyRule(tx, caller.org_id, policy_id, contract_id);
  if (!rule) return false;
  // Locked first, so that no rule is added on it between the check and the removal.
  const target = await lockTarget(tx, caller.org_id, rule.target_id);
  await endRule(context, rule);
  if (target?.policy_id !== policy_id) return true;
  if (await reassignTarget(tx, caller.org_id, target.id)) return true;
  if ((await listObservers(tx, target, false)).length > 0) await adoptTarget(tx, caller.org_id, target.id);
  else await endTarget(context, target.id);
  return true;
}
