import { type App, newId } from "../app.ts";
import type { Chain } from "../chains/chain.ts";
import { readAbi } from "../chains/evm/abi.ts";
import { readAddress } from "../chains/evm/address.ts";
import { AppError, InvalidRequest, type Issue } from "../lib/errors.ts";
import {
  type ContractRow,
  countContracts,
  deleteContract,
  findContract,
  insertContract,
  listContracts as listRows,
  updateContract,
} from "../store/contracts.ts";
import { endOpenEvents } from "../store/history.ts";
import type { Db } from "../store/open.ts";
import { lockOrg } from "../store/orgs.ts";
import { noteWatchChange } from "../store/watch.ts";
import { tierLimits, tierName } from "../tiers.ts";
import type { Contract, ContractCreate, ContractUpdate } from "../wire/contracts.ts";
import type { OrgCaller } from "./caller.ts";
import { findEnabledChain } from "./chains.ts";
import { settleStatus } from "./contract-status.ts";
import { targetIssues } from "./target-config.ts";
import { addTarget } from "./targets.ts";
import { viewerOf } from "./viewing.ts";
import { write } from "./write.ts";

export async function listContracts(app: App, caller: OrgCaller): Promise<Contract[]> {
  const rows = await listRows(app.db, viewerOf(caller));
  return rows.map(toContract);
}

export async function getContract(app: App, caller: OrgCaller, contract_id: string): Promise<Contract> {
  return toContract(await loadContract(app.db, caller, contract_id));
}

/** Starts to watch a contract; with targets chosen it is monitored from the next block on. */
export async function createContract(app: App, caller: OrgCaller, input: ContractCreate): Promise<Contract> {
  const chain = await findEnabledChain(app, input.chain);
  const address = readAddress(input.address);
  const issues = [
    ...placeIssues(chain, address),
    ...abiIssues(input.abi),
    ...(input.selected_targets ?? []).flatMap((target, index) =>
      targetIssues(target, ["body", "selected_targets", index]),
    ),
  ];
  if (!chain || !address || issues.length > 0) throw new InvalidRequest(issues);
  return write(app, caller, async (tx, { audit, hint }) => {
    await refuseOverQuota(tx, caller);
    const contract_id = await insert(app, tx, caller, chain, address, input);
    for (const [index, target] of (input.selected_targets ?? []).entries()) {
      await addTarget(app, tx, caller, contract_id, target, ["body", "selected_targets", index]);
    }
    await settleStatus(app, tx, caller.org_id, contract_id);
    audit({
      org_id: caller.org_id,
      action: "contract.created",
      subject: { type: "contract", id: contract_id },
      details: { chain: input.chain, address },
    });
    hint({ topic: "watch.changed" });
    return toContract(await loadContract(tx, caller, contract_id));
  });
}

export async function changeContract(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  input: ContractUpdate,
): Promise<Contract> {
  const issues = abiIssues(input.abi);
  if (issues.length > 0) throw new InvalidRequest(issues);
  return writeContract(app, caller, contract_id, "contract.updated", (tx) =>
    updateContract(tx, caller.org_id, contract_id, {
      ...(input.label !== undefined && { label: input.label }),
      ...(input.category !== undefined && { category: input.category }),
      ...(input.abi !== undefined && { abi: input.abi, abi_source: "upload" }),
    }),
  );
}

/** Stops looking at a contract without forgetting anything of it. */
export async function pauseContract(app: App, caller: OrgCaller, contract_id: string): Promise<Contract> {
  return writeContract(app, caller, contract_id, "contract.paused", (tx) =>
    updateContract(tx, caller.org_id, contract_id, { status: "PAUSED" }),
  );
}

export async function resumeContract(app: App, caller: OrgCaller, contract_id: string): Promise<Contract> {
  return writeContract(app, caller, contract_id, "contract.resumed", async (tx) => {
    await updateContract(tx, caller.org_id, contract_id, { status: "PENDING", status_reason: null });
    await settleStatus(app, tx, caller.org_id, contract_id);
  });
}

/** Forgets a contract with its targets and rules. Its past alerts stay, for admins to see. */
export async function removeContract(
  app: App,
  caller: OrgCaller,
  contract_id: string,
): Promise<{ ok: true }> {
  return write(app, caller, async (tx, { audit, hint }) => {
    const row = await loadContract(tx, caller, contract_id);
    await noteWatchChange(tx, row.chain, contract_id);
    if (!(await deleteContract(tx, caller.org_id, contract_id))) throw noSuchContract();
    await endOpenEvents(tx, caller.org_id, { contract_id }, app.clock.now());
    audit({
      org_id: caller.org_id,
      action: "contract.deleted",
      subject: { type: "contract", id: contract_id },
      details: { chain: row.chain, address: row.address },
    });
    hint({ topic: "watch.changed" });
    return { ok: true };
  });
}

async function writeContract(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  action: `contract.${string}`,
  change: (tx: Db) => Promise<void>,
): Promise<Contract> {
  return write(app, caller, async (tx, { audit, hint }) => {
    const before = await loadContract(tx, caller, contract_id);
    await noteWatchChange(tx, before.chain, contract_id);
    await change(tx);
    await updateContract(tx, caller.org_id, contract_id, { updated_at: app.clock.now() });
    audit({ org_id: caller.org_id, action, subject: { type: "contract", id: contract_id } });
    hint({ topic: "watch.changed" });
    return toContract(await loadContract(tx, caller, contract_id));
  });
}

async function insert(
  app: App,
  tx: Db,
  caller: OrgCaller,
  chain: Chain,
  address: string,
  input: ContractCreate,
): Promise<string> {
  const now = app.clock.now();
  const id = newId(app);
  const isNew = await insertContract(tx, {
    id,
    org_id: caller.org_id,
    chain: chain.chain,
    chain_id: String(chain.chain_id),
    address,
    label: input.label ?? `${address.slice(0, 8)}…${address.slice(-4)}`,
    status: "PENDING",
    status_reason: null,
    implementation_address: null,
    is_verified: null,
    abi: input.abi === undefined ? null : JSON.stringify(input.abi),
    abi_source: input.abi === undefined ? "none" : "upload",
    last_activity_at: null,
    external_ref: null,
    created_by: caller.user_id,
    created_at: now,
    updated_at: now,
  });
  if (!isNew) throw new AppError("contract_exists", `${address} on ${chain.name} is watched already.`);
  return id;
}

async function loadContract(db: Db, caller: OrgCaller, contract_id: string): Promise<ContractRow> {
  const row = await findContract(db, viewerOf(caller), contract_id);
  if (!row) throw noSuchContract();
  return row;
}

function noSuchContract(): AppError {
  return new AppError("not_found", "There is no such contract.");
}

/** Counted under the org's lock, so that requests at the same time cannot each take the last place. */
async function refuseOverQuota(tx: Db, caller: OrgCaller): Promise<void> {
  const { tier } = await lockOrg(tx, caller.org_id);
  const { contracts } = tierLimits[tier];
  if ((await countContracts(tx, caller.org_id)) < contracts) return;
  throw new AppError("quota_exceeded", `The ${tierName(tier)} tier has room for ${contracts} contracts.`);
}

function placeIssues(chain: Chain | undefined, address: string | undefined): Issue[] {
  return [
    ...(chain ? [] : [{ loc: ["body", "chain"], msg: "is not a chain that runs here", type: "value_error" }]),
    ...(address
      ? []
      : [{ loc: ["body", "address"], msg: "is not an address on this chain", type: "value_error" }]),
  ];
}

function abiIssues(abi: unknown): Issue[] {
  if (abi === undefined) return [];
  const read = readAbi(abi);
  return read.ok ? [] : [{ loc: ["body", "abi"], msg: read.problem, type: "value_error" }];
}

export function toContract(row: ContractRow): Contract {
  return {
    ...row,
    chain_id: Number(row.chain_id),
    category: row.category as Contract["category"],
    labels: row.labels.map((label) => ({ ...label, created_at: new Date(label.created_at).toISOString() })),
    targets_count: Number(row.targets_count),
    rules_count: Number(row.rules_count),
    last_activity_at: row.last_activity_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
