import { newId } from "../../../app.ts";
import { chainOf } from "../../../chains/index.ts";
import { meterOf } from "../../../meters/index.ts";
import { unitOn } from "../../../meters/meter.ts";
import { adoptTarget, listPoliciesOn, reassignTarget } from "../../../store/alerts/policy-rules.ts";
import { insertTargets } from "../../../store/contracts/targets.ts";
import { tierLimits, tierName } from "../../../tiers.ts";
import type { ConfigTarget } from "../../../wire/imports/configuration.ts";
import { loadSubject } from "../../alerts/rule-subject.ts";
import { removeRule } from "../../alerts/rules.ts";
import { updateContractStatus } from "../../contracts/contract-status.ts";
import { updateSavedNames } from "../../contracts/name-status.ts";
import { supportOn, unknownTypeReason } from "../../contracts/target-config.ts";
import { hasNames, targetNameIssues } from "../../contracts/target-names.ts";
import { changeTarget, removeTarget } from "../../contracts/targets.ts";
import { addError, attempt, type OnContract, pick, recordChange, type Work } from "./change-log.ts";
import { changedOf } from "./changed-fields.ts";
import { targetFields, targetName } from "./match-parts.ts";
import type { ContractState, TargetState } from "./org-state.ts";
import type { TargetPlan } from "./plan-targets.ts";
import { toConfigTarget } from "./to-document.ts";

/** The contract of the targets: its reference in the document, and for the authorisation. */
export type About = { ref: string; on: OnContract };

/** Deletes targets that the document does not contain. */
export async function pruneTargets(
  work: Work,
  { ref, on }: About,
  existing: TargetState[],
  plans: TargetPlan[],
): Promise<Set<TargetState>> {
  const kept = new Set(plans.map(({ state }) => state));
  const unwanted = existing.filter((target) => !kept.has(target) && target.row.policy_id === null);
  const removed = new Set<TargetState>();
  for (const target of unwanted) {
    for (const rule of target.rules)
      recordChange(work, { action: "delete", kind: "rule", ref: `${ref} / ${rule.name}`, on });
    if (await leaveToPolicy(work, target)) continue;
    await removeTarget(work.app, work.caller, target.row.id, work);
    recordChange(work, { action: "delete", kind: "target", ref: refOf(ref, target.row), on });
    removed.add(target);
  }
  return removed;
}

/** A target that the document no longer has belongs to a policy with a rule on it. Returns false if there is none. */
async function leaveToPolicy(work: Work, { row, rules }: TargetState): Promise<boolean> {
  const { app, tx, caller } = work;
  if ((await listPoliciesOn(tx, row.id)).length === 0) return false;
  for (const { id } of rules) await removeRule(app, caller, id, work);
  return reassignTarget(tx, caller.org_id, row.id);
}

export async function applyTargets(
  work: Work,
  contract: ContractState,
  plans: TargetPlan[],
  about: About,
): Promise<void> {
  const fresh = plans.filter(({ state }) => !state);
  for (const plan of plans) if (plan.state) await change(work, plan, plan.state, about);
  if (fresh.length > 0) await create(work, contract, fresh, about);
}

async function change(
  work: Work,
  { wanted, loc }: TargetPlan,
  { row }: TargetState,
  { ref, on }: About,
): Promise<void> {
  const before = toConfigTarget(row);
  const fields = changedOf(wanted, before, targetFields);
  const isAdopted = row.policy_id !== null;
  if (fields.length === 0 && !isAdopted) {
    work.unchanged++;
    return;
  }
  // A target of a policy that the document lists stays when the policy goes.
  if (isAdopted) await adoptTarget(work.tx, work.caller.org_id, row.id);
  if (fields.length > 0)
    await attempt(work, loc, () => changeTarget(work.app, work.caller, row.id, pick(wanted, fields), work));
  const changed = [...fields, ...(isAdopted ? ["policy_id"] : [])];
  const values = { before, after: wanted };
  recordChange(work, { action: "update", kind: "target", ref: refOf(ref, row), fields: changed, on, values });
}

function refOf(ref: string, { target_type, name }: { target_type: string; name: string }): string {
  return `${ref} / ${target_type} / ${name}`;
}

/** Creates targets of a contract in one statement. */
async function create(
  work: Work,
  contract: ContractState,
  fresh: TargetPlan[],
  { ref, on }: About,
): Promise<void> {
  const { app, tx, caller, effects } = work;
  const { targetsPerContract } = tierLimits[caller.tier];
  const remaining = Math.max(0, targetsPerContract - contract.targets.length);
  const message = `The ${tierName(caller.tier)} tier allows ${targetsPerContract} targets per contract.`;
  for (const { loc } of fresh.slice(remaining)) addError(work, loc, message, "quota_exceeded");
  await checkNames(work, contract, fresh);
  const rows = fresh.slice(0, remaining).map((plan) => {
    const row = rowOf(work, contract, plan.wanted);
    plan.id = row.id;
    const details = { contract_id: row.contract_id, target_type: row.target_type };
    const subject = { type: "target", id: row.id };
    effects.audit({ org_id: caller.org_id, action: "target.created", subject, details });
    const fields = Object.keys(plan.wanted).filter((name) => name !== "rules");
    recordChange(work, {
      action: "create",
      kind: "target",
      ref: refOf(ref, row),
      fields: fields.sort(),
      on,
    });
    return row;
  });
  await insertTargets(tx, rows);
  await updateContractStatus(app, tx, caller.org_id, contract.row.id);
  if (fresh.some(({ wanted }) => hasNames(wanted.config ?? {})))
    await updateSavedNames(app, tx, { id: contract.row.id, org_id: caller.org_id }, "anything");
  effects.hint({ topic: "watch.changed" });
}

/** Reports names that the contract does not have, and target types that do not exist. */
async function checkNames(work: Work, contract: ContractState, fresh: TargetPlan[]): Promise<void> {
  const needsSubject = fresh.some(({ wanted }) => hasNames(wanted.config ?? {}));
  const subject = needsSubject
    ? await loadSubject(work.app, work.tx, work.caller.org_id, contract.row.id)
    : undefined;
  for (const { wanted, loc } of fresh) {
    work.errors.push(...targetNameIssues(wanted.config ?? {}, subject, loc));
    if (meterOf(wanted.target_type)) continue;
    const msg = unknownTypeReason(wanted.target_type);
    work.warnings.push({ loc: [...loc, "target_type"], msg, type: "unsupported" });
  }
}

function rowOf({ app, caller }: Work, { row: contract }: ContractState, wanted: ConfigTarget) {
  const meter = meterOf(wanted.target_type);
  const config = wanted.config ?? {};
  const chain = chainOf(contract.chain);
  const now = app.clock.now();
  return {
    id: newId(app),
    org_id: caller.org_id,
    contract_id: contract.id,
    target_type: wanted.target_type,
    name: targetName(wanted),
    config: JSON.stringify(config),
    unit: meter && chain ? unitOn(meter, config, chain) : (meter?.unit ?? null),
    is_singleton: meter?.instances === "one",
    is_enabled: wanted.is_enabled ?? true,
    last_value: null,
    last_value_at: null,
    created_at: now,
    updated_at: now,
    ...supportOn(chain?.kind, wanted.target_type, config),
  };
}
