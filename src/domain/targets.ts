import type { z } from "zod";
import { type App, newId } from "../app.ts";
import { chainOf } from "../chains/index.ts";
import { AppError, InvalidRequest, type Issue } from "../lib/errors.ts";
import { toIssues } from "../lib/issues.ts";
import { meterOf } from "../meters/index.ts";
import type { Meter } from "../meters/meter.ts";
import { findContract } from "../store/contracts.ts";
import { endOpenEvents } from "../store/history.ts";
import type { Db } from "../store/open.ts";
import { lockOrg } from "../store/orgs.ts";
import {
  deleteTarget,
  findTarget,
  listTargets as listRows,
  type TargetRow,
  updateTarget,
  upsertTarget,
} from "../store/targets.ts";
import { tierLimits, tierName } from "../tiers.ts";
import type { Target, TargetCreate, TargetUpdate } from "../wire/contracts.ts";
import type { OrgCaller } from "./caller.ts";
import { settleStatus } from "./contract-status.ts";
import { write } from "./write.ts";

export async function listTargets(app: App, caller: OrgCaller, contract_id: string): Promise<Target[]> {
  const rows = await listRows(app.db, caller.org_id, contract_id);
  return rows.map(toTarget);
}

/** Measures something on a contract from the next block on. One of a kind that exists is switched on and returned. */
export async function createTarget(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  input: TargetCreate,
): Promise<Target> {
  return write(app, caller, async (tx, { audit, hint }) => {
    await lockOrg(tx, caller.org_id);
    const row = await addTarget(app, tx, caller, contract_id, input, ["body"]);
    await settleStatus(app, tx, caller.org_id, contract_id);
    audit({
      org_id: caller.org_id,
      action: "target.created",
      subject: { type: "target", id: row.id },
      details: { contract_id, target_type: row.target_type },
    });
    hint({ topic: "watch.changed" });
    return toTarget(row);
  });
}

/** Adds a target inside a transaction that holds the org's lock. `loc` is where the input stands in the request. */
export async function addTarget(
  app: App,
  tx: Db,
  caller: OrgCaller,
  contract_id: string,
  input: TargetCreate,
  loc: (string | number)[],
): Promise<TargetRow> {
  const meter = meterOf(input.target_type);
  const config = readConfig(meter, input.config ?? {}, loc);
  const existing = await listRows(tx, caller.org_id, contract_id);
  const isKnown = meter?.instances === "one" && existing.some((row) => row.target_type === input.target_type);
  if (!isKnown) refuseOverQuota(caller, existing.length);
  const now = app.clock.now();
  const { row } = await upsertTarget(tx, {
    id: newId(app),
    org_id: caller.org_id,
    contract_id,
    target_type: input.target_type,
    name: input.name ?? meter?.title ?? input.target_type,
    config: JSON.stringify(config),
    unit: meter?.unit ?? null,
    is_singleton: meter?.instances === "one",
    last_value: null,
    last_value_at: null,
    created_at: now,
    updated_at: now,
    ...(await supportOf(tx, caller, contract_id, meter)),
  });
  return row;
}

export async function changeTarget(
  app: App,
  caller: OrgCaller,
  target_id: string,
  input: TargetUpdate,
): Promise<Target> {
  return write(app, caller, async (tx, { audit, hint }) => {
    const before = await loadTarget(tx, caller, target_id);
    const config = input.config && readConfig(meterOf(before.target_type), input.config, ["body"]);
    const row = await updateTarget(tx, caller.org_id, target_id, {
      ...(input.name !== undefined && { name: input.name }),
      ...(input.is_enabled !== undefined && { is_enabled: input.is_enabled }),
      ...(config && { config }),
      updated_at: app.clock.now(),
    });
    if (!row) throw noSuchTarget();
    await settleStatus(app, tx, caller.org_id, row.contract_id);
    const details = { fields: Object.keys(input) };
    audit({
      org_id: caller.org_id,
      action: "target.updated",
      subject: { type: "target", id: target_id },
      details,
    });
    hint({ topic: "watch.changed" });
    return toTarget(row);
  });
}

/** Removes a target with the rules on it. */
export async function removeTarget(app: App, caller: OrgCaller, target_id: string): Promise<{ ok: true }> {
  return write(app, caller, async (tx, { audit, hint }) => {
    const row = await deleteTarget(tx, caller.org_id, target_id);
    if (!row) throw noSuchTarget();
    await endOpenEvents(tx, caller.org_id, { target_id }, app.clock.now());
    await settleStatus(app, tx, caller.org_id, row.contract_id);
    const details = { contract_id: row.contract_id, target_type: row.target_type };
    audit({
      org_id: caller.org_id,
      action: "target.deleted",
      subject: { type: "target", id: target_id },
      details,
    });
    hint({ topic: "watch.changed" });
    return { ok: true };
  });
}

async function loadTarget(db: Db, caller: OrgCaller, target_id: string): Promise<TargetRow> {
  const row = await findTarget(db, caller.org_id, target_id);
  if (!row) throw noSuchTarget();
  return row;
}

function noSuchTarget(): AppError {
  return new AppError("not_found", "There is no such target.");
}

/** What is wrong with the config of a target that is to be made. `loc` is where it stands in the request. */
export function targetIssues(input: TargetCreate, loc: (string | number)[]): Issue[] {
  const config = input.config ?? {};
  const parsed = meterOf(input.target_type)?.config.safeParse(config);
  return parsed?.error ? configIssues(parsed.error, config, loc) : [];
}

/** The config with its defaults. A type that nobody knows keeps whatever it was given. */
function readConfig(
  meter: Meter | undefined,
  config: Record<string, unknown>,
  loc: (string | number)[],
): Record<string, unknown> {
  if (!meter) return config;
  const parsed = meter.config.safeParse(config);
  if (parsed.success) return parsed.data;
  throw new InvalidRequest(configIssues(parsed.error, config, loc));
}

function configIssues(error: z.ZodError, config: Record<string, unknown>, loc: (string | number)[]): Issue[] {
  return toIssues(error, "config", config).map((issue) => ({ ...issue, loc: [...loc, ...issue.loc] }));
}

/** Nothing is silently dead: what cannot be measured says so. */
async function supportOf(tx: Db, caller: OrgCaller, contract_id: string, meter: Meter | undefined) {
  const contract = await findContract(tx, { org_id: caller.org_id, user_id: null }, contract_id);
  const kind = contract && chainOf(contract.chain)?.kind;
  if (!meter) return { status: "unsupported" as const, status_reason: "This type is not known here." };
  if (kind && !meter.families.includes(kind)) {
    return { status: "unsupported" as const, status_reason: `This type does not exist on ${kind} chains.` };
  }
  return { status: "no_data" as const, status_reason: null };
}

function refuseOverQuota(caller: OrgCaller, existing: number): void {
  const { targetsPerContract } = tierLimits[caller.tier];
  if (existing < targetsPerContract) return;
  const room = `The ${tierName(caller.tier)} tier has room for ${targetsPerContract} targets on a contract.`;
  throw new AppError("quota_exceeded", room);
}

function toTarget(row: TargetRow): Target {
  return {
    id: row.id,
    contract_id: row.contract_id,
    target_type: row.target_type,
    name: row.name,
    config: row.config,
    unit: row.unit,
    is_enabled: row.is_enabled,
    status: row.status,
    status_reason: row.status_reason,
    last_value: row.last_value,
    last_value_at: row.last_value_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
