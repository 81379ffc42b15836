import { isDeepStrictEqual } from "node:util";
import { type App, newId } from "../../app.ts";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import { meterOf } from "../../meters/index.ts";
import { needsOf } from "../../meters/meter.ts";
import { listObservers } from "../../store/alerts/rules.ts";
import {
  deleteTarget,
  findTarget,
  listTargets as listRows,
  lockTarget,
  renewTarget,
  type TargetRow,
  updateTarget,
  upsertTarget,
} from "../../store/contracts/targets.ts";
import type { Db } from "../../store/open-store.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import { tierLimits, tierName } from "../../tiers.ts";
import type { Target, TargetCreate, TargetUpdate } from "../../wire/contracts/targets.ts";
import { resolvingAlerts } from "../alerts/end-alerts.ts";
import { requireNoPolicy, requireUnmanaged } from "../alerts/policies/managed.ts";
import { loadSubject } from "../alerts/rule-subject.ts";
import type { OrgCaller } from "../caller.ts";
import { inTransaction, type OpenTransaction } from "../transaction.ts";
import type { CheckContext, WriteContext } from "../write-context.ts";
import { updateContractStatus } from "./contract-status.ts";
import { findExactValues } from "./exact-values.ts";
import { updateSavedNames } from "./name-status.ts";
import { readConfig, supportOf } from "./target-config.ts";
import { hasNames, targetNameIssues } from "./target-names.ts";

export async function listTargets(app: App, caller: OrgCaller, contract_id: string): Promise<Target[]> {
  return showTargets(app.db, await listRows(app.db, caller.org_id, contract_id));
}

export async function getTarget(app: App, caller: OrgCaller, target_id: string): Promise<Target> {
  const row = await findTarget(app.db, caller.org_id, target_id);
  if (!row) throw new AppError("not_found", "There is no such target.");
  return showTarget(app.db, row);
}

/**
 * Creates a target, measured from the next block. If its type is unique and exists, enables the existing target, which is no longer
 * managed by a policy.
 */
export async function createTarget(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  input: TargetCreate,
): Promise<Target> {
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    await lockOrg(tx, caller.org_id);
    const row = await addTarget({ app, tx, caller }, contract_id, input, ["body"]);
    await updateContractStatus(app, tx, caller.org_id, contract_id);
    await updateSavedNames(app, tx, { id: contract_id, org_id: caller.org_id }, row);
    audit({
      org_id: caller.org_id,
      action: "target.created",
      subject: { type: "target", id: row.id },
      details: { contract_id, target_type: row.target_type },
    });
    hint({ topic: "watch.changed" });
    return showTarget(tx, (await findTarget(tx, caller.org_id, row.id)) ?? row);
  });
}

/** Inserts a target. The transaction must hold the lock of the org. `loc` is the location of the input in the request. */
export async function addTarget(
  { app, tx, caller }: Omit<WriteContext, "effects">,
  contract_id: string,
  input: TargetCreate & { policy_id?: string },
  loc: (string | number)[],
): Promise<TargetRow> {
  const meter = meterOf(input.target_type);
  const config = readConfig(meter, input.config ?? {}, loc);
  await requireKnownNames({ app, tx, caller }, contract_id, config, loc);
  const existing = await listRows(tx, caller.org_id, contract_id);
  const same =
    meter?.instances === "one" ? existing.find((row) => row.target_type === input.target_type) : undefined;
  if (same) requireSameConfig(same, input.config && config);
  else requireTargetQuota(caller, existing.length);
  const now = app.clock.now();
  const { row } = await upsertTarget(tx, {
    id: newId(app),
    org_id: caller.org_id,
    contract_id,
    policy_id: input.policy_id ?? null,
    target_type: input.target_type,
    name: input.name ?? meter?.title ?? input.target_type,
    config: JSON.stringify(config),
    is_singleton: meter?.instances === "one",
    last_value: null,
    last_value_at: null,
    created_at: now,
    updated_at: now,
    ...(await supportOf(tx, caller, contract_id, { target_type: input.target_type, config })),
  });
  return row;
}

/** Rejects another config for the only target of a type: it would be dropped. Without a config, the existing one is meant. */
function requireSameConfig(existing: TargetRow, config: Record<string, unknown> | undefined): void {
  if (!config || isDeepStrictEqual(config, existing.config)) return;
  const { target_type, id, name } = existing;
  const message =
    `The contract can have one ${target_type} target, and has ${JSON.stringify(name)} with another config. ` +
    `Change it with PATCH /targets/${id}.`;
  throw new AppError("target_exists", message);
}

export async function changeTarget(
  app: App,
  caller: OrgCaller,
  target_id: string,
  input: TargetUpdate,
  joined?: OpenTransaction,
): Promise<Target> {
  return inTransaction(
    app,
    caller,
    async (tx, effects) => {
      const { audit, hint } = effects;
      const before = await loadTarget(tx, caller, target_id);
      await requireUnmanaged(tx, before, "target");
      const config = input.config && readConfig(meterOf(before.target_type), input.config, ["body"]);
      if (config && !isDeepStrictEqual(config, before.config)) {
        await requireNoPolicy(tx, target_id, "changed");
        await requireKnownNames({ app, tx, caller }, before.contract_id, config, ["body"]);
        await startNewGeneration({ app, tx, caller, effects }, before, config);
      }
      if (input.is_enabled === false) {
        await requireNoPolicy(tx, target_id, "disabled");
        await requireUnused(tx, before, "disabled");
      }
      const row = await updateTarget(tx, caller.org_id, target_id, {
        ...(input.name !== undefined && { name: input.name }),
        ...(input.is_enabled !== undefined && { is_enabled: input.is_enabled }),
        updated_at: app.clock.now(),
      });
      if (!row) throw noSuchTarget();
      await updateContractStatus(app, tx, caller.org_id, row.contract_id);
      const about = { id: row.contract_id, org_id: caller.org_id };
      if (config) await updateSavedNames(app, tx, about, { config: { ...before.config, ...config } });
      const details = { fields: Object.keys(input) };
      audit({
        org_id: caller.org_id,
        action: "target.updated",
        subject: { type: "target", id: target_id },
        details,
      });
      hint({ topic: "watch.changed" });
      return showTarget(tx, await loadTarget(tx, caller, target_id));
    },
    joined,
  );
}

/** Rejects a config with names that the contract does not have. */
async function requireKnownNames(
  { app, tx, caller }: CheckContext,
  contract_id: string,
  config: Record<string, unknown>,
  loc: (string | number)[],
): Promise<void> {
  if (!hasNames(config)) return;
  const issues = targetNameIssues(config, await loadSubject(app, tx, caller.org_id, contract_id), loc);
  if (issues.length > 0) throw new InvalidRequest(issues);
}

/** Resets a target and its rules: readings of different configs are not comparable. */
async function startNewGeneration(
  { app, tx, caller, effects }: WriteContext,
  { id, contract_id, target_type }: TargetRow,
  config: Record<string, unknown>,
): Promise<void> {
  const support = await supportOf(tx, caller, contract_id, { target_type, config });
  await resolvingAlerts(app, tx, effects, { org_id: caller.org_id, of: { target_id: id } }, () =>
    renewTarget(tx, caller.org_id, id, { config, ...support }),
  );
}

/** Deletes a target with its rules. */
export async function removeTarget(
  app: App,
  caller: OrgCaller,
  target_id: string,
  joined?: OpenTransaction,
): Promise<{ ok: true }> {
  return inTransaction(
    app,
    caller,
    async (tx, effects) => {
      const row = await loadTarget(tx, caller, target_id);
      await requireUnmanaged(tx, row, "target");
      await requireNoPolicy(tx, target_id, "deleted");
      await requireUnused(tx, row, "deleted");
      if (!(await endTarget({ app, tx, caller, effects }, target_id))) throw noSuchTarget();
      return { ok: true };
    },
    joined,
  );
}

/** Deletes a target with its rules and ends their open events. Returns false if it is gone already. */
export async function endTarget(
  { app, tx, caller, effects: { audit, hint } }: WriteContext,
  target_id: string,
): Promise<boolean> {
  const ending = { org_id: caller.org_id, of: { target_id } };
  const row = await resolvingAlerts(app, tx, { hint }, ending, () =>
    deleteTarget(tx, caller.org_id, target_id),
  );
  if (!row) return false;
  await updateContractStatus(app, tx, caller.org_id, row.contract_id);
  const details = { contract_id: row.contract_id, target_type: row.target_type };
  const subject = { type: "target", id: target_id };
  audit({ org_id: caller.org_id, action: "target.deleted", subject, details });
  hint({ topic: "watch.changed" });
  return true;
}

/** Rejects a change after which rules on other targets could no longer be evaluated. */
async function requireUnused(tx: Db, target: TargetRow, change: "disabled" | "deleted"): Promise<void> {
  const names = await listObservers(tx, target, change === "disabled");
  if (names.length === 0) return;
  const message =
    `The target cannot be ${change}, because conditions of other rules use it: ${names.slice(0, 10).join(", ")}. ` +
    "Change or delete these rules first.";
  throw new AppError("target_in_use", message);
}

/** Locks the target, because a policy may be adding a rule on it. */
async function loadTarget(db: Db, caller: OrgCaller, target_id: string): Promise<TargetRow> {
  const row = await lockTarget(db, caller.org_id, target_id);
  if (!row) throw noSuchTarget();
  return row;
}

function noSuchTarget(): AppError {
  return new AppError("not_found", "There is no such target.");
}

/** Rejects another target if the contract has as many as the tier allows. */
export function requireTargetQuota(caller: OrgCaller, existing: number): void {
  const { targetsPerContract } = tierLimits[caller.tier];
  if (existing < targetsPerContract) return;
  const message = `The ${tierName(caller.tier)} tier allows ${targetsPerContract} targets per contract.`;
  throw new AppError("quota_exceeded", message);
}

/** What a target makes the engine read of its chain; nothing if it cannot be measured. */
function neededBy(target_type: string, config: unknown): Target["needs"] {
  const meter = meterOf(target_type);
  const parsed = meter?.config.safeParse(config);
  return meter && parsed?.success ? [...needsOf(meter, parsed.data)] : [];
}

async function showTarget(db: Db, row: TargetRow): Promise<Target> {
  const [target] = await showTargets(db, [row]);
  return target as Target;
}

async function showTargets(db: Db, rows: TargetRow[]): Promise<Target[]> {
  const exact = await findExactValues(db, rows);
  return rows.map((row) => toTarget(row, exact.get(row.id) ?? null));
}

function toTarget(row: TargetRow, last_value_exact: string | null): Target {
  return {
    id: row.id,
    contract_id: row.contract_id,
    policy_id: row.policy_id,
    target_type: row.target_type,
    name: row.name,
    config: row.config,
    unit: row.unit,
    needs: neededBy(row.target_type, row.config),
    is_enabled: row.is_enabled,
    status: row.status,
    status_reason: row.status_reason ?? row.unread_problem,
    last_value: row.last_value,
    last_value_exact,
    last_value_at: row.last_value_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
