import type { App } from "../../app.ts";
import { chainOf } from "../../chains/index.ts";
import { AppError, InvalidRequest, type Issue } from "../../errors/app-error.ts";
import { mapInSlices } from "../../lib/concurrency/in-slices.ts";
import {
  type ContractRow,
  countMatchingContracts,
  deleteContract,
  findContract,
  listContracts as listRows,
  updateContract,
} from "../../store/contracts/contracts.ts";
import { recordWatchChange } from "../../store/engine/watch.ts";
import type { Db } from "../../store/open-store.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import type {
  Contract,
  ContractCreate,
  ContractsQuery,
  ContractUpdate,
} from "../../wire/contracts/contracts.ts";
import type { Page } from "../../wire/paging.ts";
import { resolvingAlerts } from "../alerts/end-alerts.ts";
import type { OrgCaller } from "../caller.ts";
import { byCreation, pageRequest, toPage } from "../page.ts";
import { inTransaction, type OpenTransaction } from "../transaction.ts";
import { viewerOf } from "../viewer-of.ts";
import { replaceAbi } from "./abi-budget.ts";
import { checkAbi, findAbiIssues } from "./abi-issues.ts";
import { makeChainFinder } from "./chains.ts";
import { updateContractStatus } from "./contract-status.ts";
import { updateNameStatus } from "./name-status.ts";
import { addContracts, checkContract, contractIssues, remainingContractQuota } from "./new-contract.ts";

export async function listContracts(
  app: App,
  caller: OrgCaller,
  query: ContractsQuery,
): Promise<Page<Contract>> {
  const viewer = viewerOf(caller);
  const rows = await listRows(app.db, viewer, query, pageRequest(query));
  const page = toPage(rows, query.limit, byCreation);
  const isPart = query.limit !== undefined || query.cursor !== undefined;
  const total = isPart ? await countMatchingContracts(app.db, viewer, query) : rows.length;
  return { ...page, items: await mapInSlices(page.items, toContract), total };
}

export async function getContract(app: App, caller: OrgCaller, contract_id: string): Promise<Contract> {
  return toContract(await loadContract(app.db, caller, contract_id));
}

/** Finds errors in the given fields of a new contract. `owner` is whose share of the worker threads is used. */
export async function findContractIssues(
  app: App,
  owner: string,
  fields: Partial<ContractCreate>,
): Promise<Issue[]> {
  const findChain = await makeChainFinder(app);
  const kind = fields.chain === undefined ? undefined : findChain(fields.chain)?.kind;
  return contractIssues(findChain, fields, ["body"], await checkAbi(app, { org_id: owner }, kind, fields));
}

/** Creates a contract. With targets, monitoring starts with the next block. */
export async function createContract(app: App, caller: OrgCaller, input: ContractCreate): Promise<Contract> {
  const findChain = await makeChainFinder(app);
  const checkedAbi = await checkAbi(app, caller, findChain(input.chain)?.kind, input);
  const checked = checkContract(findChain, input, ["body"], checkedAbi);
  return inTransaction(app, caller, async (tx, effects) => {
    const { remaining, quotaError } = await remainingContractQuota(tx, caller.org_id);
    if (remaining === 0) throw quotaError;
    const [id] = await addContracts({ app, tx, caller, effects }, [checked]);
    if (!id) {
      const { address, chain } = checked;
      throw new AppError("contract_exists", `${address} on ${chain.name} is already monitored.`);
    }
    return toContract(await loadContract(tx, caller, id));
  });
}

export async function changeContract(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  input: ContractUpdate,
  joined?: OpenTransaction,
): Promise<Contract> {
  const { chain } = await loadContract(joined?.tx ?? app.db, caller, contract_id);
  const issues = await findAbiIssues(app, caller, chainOf(chain)?.kind, input.abi);
  if (issues.length > 0) throw new InvalidRequest(issues);
  const locksOrg = input.abi !== undefined;
  return writeContract({ app, caller, contract_id, joined, locksOrg }, "contract.updated", async (tx) => {
    const { org_id } = caller;
    const write = () =>
      updateContract(tx, org_id, contract_id, {
        ...(input.label !== undefined && { label: input.label }),
        ...(input.category !== undefined && { category: input.category, is_category_chosen: true }),
        ...(input.abi !== undefined && { abi: input.abi, abi_source: "upload" }),
      });
    if (input.abi === undefined) return write();
    await replaceAbi(tx, org_id, write);
    await updateNameStatus(app, tx, { id: contract_id, org_id });
  });
}

/** Pauses monitoring of a contract; its targets, rules and data remain. */
export async function pauseContract(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  joined?: OpenTransaction,
): Promise<Contract> {
  return writeContract({ app, caller, contract_id, joined }, "contract.paused", (tx) =>
    updateContract(tx, caller.org_id, contract_id, { status: "PAUSED", paused_at: app.clock.now() }),
  );
}

export async function resumeContract(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  joined?: OpenTransaction,
): Promise<Contract> {
  return writeContract({ app, caller, contract_id, joined }, "contract.resumed", async (tx) => {
    await updateContract(tx, caller.org_id, contract_id, {
      status: "PENDING",
      status_code: null,
      status_reason: null,
      paused_at: null,
    });
    await updateContractStatus(app, tx, caller.org_id, contract_id);
  });
}

/** Deletes a contract with its targets and rules. Its past alerts remain visible to admins. */
export async function removeContract(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  joined?: OpenTransaction,
): Promise<{ ok: true }> {
  return inTransaction(
    app,
    caller,
    async (tx, { audit, hint }) => {
      const row = await loadContract(tx, caller, contract_id);
      await recordWatchChange(tx, row.chain, contract_id);
      const ending = { org_id: caller.org_id, of: { contract_id } };
      const isDeleted = await resolvingAlerts(app, tx, { hint }, ending, () =>
        deleteContract(tx, caller.org_id, contract_id),
      );
      if (!isDeleted) throw noSuchContract();
      audit({
        org_id: caller.org_id,
        action: "contract.deleted",
        subject: { type: "contract", id: contract_id },
        details: { chain: row.chain, address: row.address },
      });
      hint({ topic: "watch.changed" });
      return { ok: true };
    },
    joined,
  );
}

type ContractWrite = {
  app: App;
  caller: OrgCaller;
  contract_id: string;
  joined: OpenTransaction | undefined;
  /** True if the change locks the org. */
  locksOrg?: boolean;
};

async function writeContract(
  { app, caller, contract_id, joined, locksOrg = false }: ContractWrite,
  action: `contract.${string}`,
  change: (tx: Db) => Promise<void>,
): Promise<Contract> {
  return inTransaction(
    app,
    caller,
    async (tx, { audit, hint }) => {
      const before = await loadContract(tx, caller, contract_id);
      if (locksOrg) await lockOrg(tx, caller.org_id);
      await recordWatchChange(tx, before.chain, contract_id);
      await change(tx);
      await updateContract(tx, caller.org_id, contract_id, { updated_at: app.clock.now() });
      audit({ org_id: caller.org_id, action, subject: { type: "contract", id: contract_id } });
      hint({ topic: "watch.changed" });
      return toContract(await loadContract(tx, caller, contract_id));
    },
    joined,
  );
}

async function loadContract(db: Db, caller: OrgCaller, contract_id: string): Promise<ContractRow> {
  const row = await findContract(db, viewerOf(caller), contract_id);
  if (!row) throw noSuchContract();
  return row;
}

function noSuchContract(): AppError {
  return new AppError("not_found", "There is no such contract.");
}

export function toContract({ search_problem, ...row }: ContractRow): Contract {
  const reasons = [row.status_reason, row.status === "MONITORING" ? search_problem : null];
  return {
    ...row,
    status_reason: reasons.filter((reason) => reason !== null).join(" ") || null,
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
