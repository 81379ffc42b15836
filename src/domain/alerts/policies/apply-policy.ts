import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../../errors/app-error.ts";
import { meterOf } from "../../../meters/index.ts";
import type { PolicyRow } from "../../../store/alerts/policies.ts";
import { findPolicyRule } from "../../../store/alerts/policy-rules.ts";
import type { RuleRow } from "../../../store/alerts/rules.ts";
import { findTarget, type TargetRow } from "../../../store/contracts/targets.ts";
import type { PolicyRule } from "../../../wire/alerts/policies.ts";
import type { WriteContext } from "../../write-context.ts";
import { requireValidTarget } from "../rule-input.ts";
import { toRule } from "../rule-row.ts";
import { addRule, remainingRuleQuota } from "../rules.ts";
import { isEach } from "../timing-issues.ts";
import { writeRule } from "../write-rule.ts";
import { Unfit } from "./failure.ts";
import { fitsTarget, targetFor } from "./policy-target.ts";
import { undoPolicy } from "./undo-policy.ts";

/**
 * Makes a contract have the rule of a policy and a target for it. Throws if that is impossible. The transaction must hold the
 * lock of the org.
 */
export async function applyPolicy(
  context: WriteContext,
  policy: PolicyRow,
  contract_id: string,
): Promise<"rules_added" | "rules_updated" | undefined> {
  const { tx, caller } = context;
  const before = await findPolicyRule(tx, caller.org_id, policy.id, contract_id);
  const target = before && (await findTarget(tx, caller.org_id, before.target_id));
  if (before && target && fitsTarget(policy.target, target)) return update(context, policy, before, target);
  // Readings of another target are not comparable, so that it is another rule.
  if (before) await undoPolicy(context, policy.id, contract_id);
  await add(context, policy, contract_id);
  return before ? "rules_updated" : "rules_added";
}

async function add(context: WriteContext, policy: PolicyRow, contract_id: string): Promise<void> {
  const { app, tx, caller } = context;
  const { remaining, quotaError } = await remainingRuleQuota(tx, caller.org_id);
  if (remaining === 0) throw new Unfit("rule_quota_exceeded", quotaError.message);
  const { id: target_id } = await targetFor(context, policy, contract_id);
  const input = { ...fieldsOf(policy), target_id };
  const { target, checked } = await requireValidTarget({ app, tx, caller }, target_id, input);
  await addRule(context, target, { ...checked, policy_id: policy.id });
}

async function update(
  context: WriteContext,
  policy: PolicyRow,
  before: RuleRow,
  target: TargetRow,
): Promise<"rules_updated" | undefined> {
  if (!target.is_enabled) throw new AppError("conflict", `The target ${target.name} is disabled.`);
  const current: Record<string, unknown> = toRule(before);
  const wanted = Object.entries({ ...fieldsOf(policy), condition: conditionOf(policy.rule, before, target) });
  const changed = wanted.filter(([field, value]) => !isDeepStrictEqual(value, current[field]));
  if (changed.length === 0) return undefined;
  await writeRule(context, before, Object.fromEntries(changed));
  return "rules_updated";
}

/** A condition without a window keeps the one that the rule has. */
function conditionOf({ condition }: PolicyRule, before: RuleRow, { target_type }: TargetRow) {
  const { window_seconds } = before.condition;
  const isOwn = condition.window_seconds !== undefined || isEach(condition, meterOf(target_type));
  return isOwn || window_seconds === undefined ? condition : { ...condition, window_seconds };
}

function fieldsOf({ name, rule }: PolicyRow) {
  return { ...rule, name: rule.name ?? name };
}
