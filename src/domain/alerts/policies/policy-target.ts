import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../../errors/app-error.ts";
import { meterOf } from "../../../meters/index.ts";
import type { PolicyRow } from "../../../store/alerts/policies.ts";
import { listTargets, lockTarget, type TargetRow } from "../../../store/contracts/targets.ts";
import type { PolicyTarget } from "../../../wire/alerts/policies.ts";
import { updateContractStatus } from "../../contracts/contract-status.ts";
import { updateSavedNames } from "../../contracts/name-status.ts";
import { supportOf } from "../../contracts/target-config.ts";
import { addTarget, requireTargetQuota } from "../../contracts/targets.ts";
import type { WriteContext } from "../../write-context.ts";
import { Unfit } from "./failure.ts";

/** Returns whether a target measures what the policy wants. Without a config, a target that is unique by type always does. */
export function fitsTarget({ target_type, config }: PolicyTarget, row: TargetRow): boolean {
  if (row.target_type !== target_type) return false;
  if (config === undefined && isUnique(target_type)) return true;
  return isDeepStrictEqual(row.config, configOf({ target_type, config }));
}

/** Returns the target of a contract that fits a policy, or creates it. */
export async function targetFor(
  context: WriteContext,
  { id: policy_id, target: wanted }: PolicyRow,
  contract_id: string,
): Promise<TargetRow> {
  const { app, tx, caller } = context;
  const existing = await listTargets(tx, caller.org_id, contract_id);
  const target = find(existing, wanted);
  if (target) return lockFit(context, wanted, target);
  const config = configOf(wanted);
  const { status, status_reason } = await supportOf(tx, caller, contract_id, { ...wanted, config });
  if (status === "unsupported") throw new Unfit("unsupported", status_reason ?? "");
  requireQuota(context, existing.length);
  const input = { target_type: wanted.target_type, config, policy_id };
  const row = await addTarget(context, contract_id, input, ["body", "target"]);
  await updateContractStatus(app, tx, caller.org_id, contract_id);
  await updateSavedNames(app, tx, { id: contract_id, org_id: caller.org_id }, row);
  return row;
}

function find(existing: TargetRow[], wanted: PolicyTarget): TargetRow | undefined {
  if (isUnique(wanted.target_type))
    return existing.find(({ target_type }) => target_type === wanted.target_type);
  return existing.find((row) => row.is_enabled && fitsTarget(wanted, row));
}

/** Locks a target that exists already, which a person may be changing, and rejects it if it does not fit. */
async function lockFit(
  { tx, caller }: WriteContext,
  wanted: PolicyTarget,
  { id, name }: TargetRow,
): Promise<TargetRow> {
  const row = await lockTarget(tx, caller.org_id, id);
  const label = JSON.stringify(name);
  if (!row) throw new Unfit("target_conflict", `The target ${label} was just deleted.`);
  if (!row.is_enabled)
    throw new Unfit("target_conflict", `The target ${label} of the contract is disabled. Enable it.`);
  if (row.status === "unsupported") throw new Unfit("unsupported", row.status_reason ?? "");
  if (fitsTarget(wanted, row)) return row;
  const message = `The contract has a target ${wanted.target_type} with another config, and can have only one.`;
  throw new Unfit("target_conflict", message);
}

function requireQuota({ caller }: WriteContext, existing: number): void {
  try {
    requireTargetQuota(caller, existing);
  } catch (error) {
    if (error instanceof AppError) throw new Unfit("target_quota_exceeded", error.message);
    throw error;
  }
}

function isUnique(target_type: string): boolean {
  return meterOf(target_type)?.instances === "one";
}

function configOf({ target_type, config = {} }: PolicyTarget): Record<string, unknown> {
  const parsed = meterOf(target_type)?.config.safeParse(config);
  return parsed?.success ? parsed.data : config;
}
