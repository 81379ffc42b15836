import { isDeepStrictEqual } from "node:util";
import { listContractsByIds } from "../../../store/contracts/contracts.ts";
import type { ConfigContract } from "../../../wire/imports/configuration.ts";
import { remainingRuleQuota } from "../../alerts/rules.ts";
import { changeContract, pauseContract, removeContract, resumeContract } from "../../contracts/contracts.ts";
import { replaceLabels } from "../../contracts/labels.ts";
import { addContracts, remainingContractQuota } from "../../contracts/new-contract.ts";
import { applyRules, pruneRules } from "./apply-rules.ts";
import { applyTargets, pruneTargets } from "./apply-targets.ts";
import { addError, attempt, type Loc, pick, recordChange, type Work } from "./change-log.ts";
import { changedOf } from "./changed-fields.ts";
import { contractRef, type Located, locateContracts } from "./locate-contracts.ts";
import type { ContractState } from "./org-state.ts";
import { planTargets, type RulePlan, type TargetPlan } from "./plan-targets.ts";
import { byText, toConfigContract } from "./to-document.ts";

/** A contract of the document with the plans for its targets and rules. */
type ContractPlan = Located & { targets: TargetPlan[]; rules: RulePlan[] };

/** Creates, updates and, with `prune`, deletes contracts with targets and rules. Deletes first, to free quota. */
export async function applyContracts(work: Work, channelIds: Map<string, string>): Promise<void> {
  const { input, tx, caller } = work;
  if (!input.contracts) return;
  const plans: ContractPlan[] = [];
  for (const located of await locateContracts(work, input.contracts))
    plans.push(await withParts(work, located));
  const kept = new Set(plans.flatMap(({ state }) => state?.row.id ?? []));
  if (input.prune) await prune(work, kept, plans);
  await addNew(work, plans);
  const quota = await remainingRuleQuota(tx, caller.org_id);
  for (const plan of plans) {
    if (plan.state) await applyOne(work, plan, plan.state, channelIds, quota);
  }
}

async function withParts(work: Work, located: Located): Promise<ContractPlan> {
  await work.effort.pause();
  const existing = located.state?.targets ?? [];
  return {
    ...located,
    ...(await planTargets(work, located.wanted.targets, [...located.loc, "targets"], existing)),
  };
}

async function prune(work: Work, kept: Set<string>, plans: ContractPlan[]): Promise<void> {
  for (const { row } of work.state.contracts) {
    if (kept.has(row.id)) continue;
    const ref = contractRef(row);
    const on = { contract_id: row.id, loc: ["body", "contracts", ref] };
    recordChange(work, { action: "delete", kind: "contract", ref, on });
    await removeContract(work.app, work.caller, row.id, work);
  }
  for (const { state, wanted, loc, targets, rules } of plans) {
    if (!state || !wanted.targets) continue;
    const about = { ref: contractRef(state.row), on: { contract_id: state.row.id, loc } };
    const removed = await pruneTargets(work, about, state.targets, targets);
    await pruneRules(work, about, targets, rules);
    state.targets = state.targets.filter((target) => !removed.has(target));
  }
}

/** Creates all new contracts in one batch. */
async function addNew(work: Work, plans: ContractPlan[]): Promise<void> {
  const { tx, caller } = work;
  const { remaining, quotaError } = await remainingContractQuota(tx, caller.org_id);
  const fresh = plans.flatMap((plan) => (plan.checked ? [{ plan, checked: plan.checked }] : []));
  for (const { plan } of fresh.slice(remaining))
    addError(work, plan.loc, quotaError.message, quotaError.code);
  const fitting = fresh.slice(0, remaining);
  const ids = await addContracts(
    work,
    fitting.map(({ checked }) => checked),
  );
  const rows = await listContractsByIds(
    tx,
    caller.org_id,
    ids.flatMap((id) => id ?? []),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [index, { plan, checked }] of fitting.entries()) {
    await work.effort.pause();
    const row = byId.get(ids[index] ?? "");
    // The contract exists, but the caller cannot see it.
    if (!row) {
      addError(work, plan.loc, "is already monitored, and you have no access to it", "contract_exists");
      continue;
    }
    plan.state = { row, targets: [] };
    work.editable.add(row.id);
    const fields = Object.keys(plan.wanted).filter((name) => name !== "targets");
    const ref = contractRef({ chain: checked.chain.chain, address: checked.address });
    const on = { contract_id: row.id, loc: plan.loc };
    recordChange(work, { action: "create", kind: "contract", ref, fields: fields.sort(), on });
  }
}

async function applyOne(
  work: Work,
  { wanted, loc, checked, targets, rules }: ContractPlan,
  state: ContractState,
  channelIds: Map<string, string>,
  quota: Awaited<ReturnType<typeof remainingRuleQuota>>,
): Promise<void> {
  await work.effort.pause();
  const ref = contractRef(state.row);
  const on = { contract_id: state.row.id, loc };
  const before = toConfigContract(state.row);
  const fields = await applyFields(work, wanted, state, loc, checked !== undefined);
  if (!checked && fields.length > 0)
    recordChange(work, {
      action: "update",
      kind: "contract",
      ref,
      fields,
      on,
      values: { before, after: wanted },
    });
  if (!checked && fields.length === 0) work.unchanged++;
  await applyTargets(work, state, targets, { ref, on });
  await applyRules(work, state, rules, { channelIds, quota, on });
}

const plainFields = ["label", "category"] as const;

async function applyFields(
  work: Work,
  wanted: ConfigContract,
  { row }: ContractState,
  loc: Loc,
  isNew: boolean,
): Promise<string[]> {
  const { app, caller } = work;
  const shown = toConfigContract(row);
  const labels = wanted.labels
    ?.map(({ key = null, value, color = null }) => ({ key, value, color }))
    .sort(byText);
  // Setting the category of a new contract disables its detection, even if the value is the default.
  const isChosen = isNew && wanted.category !== undefined;
  const plain = isChosen ? (["category"] as const) : changedOf(wanted, shown, plainFields);
  const changed = changedOf({ ...wanted, labels }, shown, ["labels", "is_paused"] as const);
  if (plain.length > 0)
    await attempt(work, loc, () => changeContract(app, caller, row.id, pick(wanted, plain), work));
  if (labels && !isDeepStrictEqual(labels, shown.labels))
    await attempt(work, loc, () => replaceLabels(app, caller, row.id, labels, work));
  const setPaused = wanted.is_paused ? pauseContract : resumeContract;
  if (changed.includes("is_paused")) await attempt(work, loc, () => setPaused(app, caller, row.id, work));
  return [...plain, ...changed];
}
