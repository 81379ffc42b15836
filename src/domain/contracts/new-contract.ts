import { type App, newId } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { type AbiIndex, emptyAbi } from "../../chains/evm/abi/abi.ts";
import { parseAddressOn } from "../../chains/families.ts";
import { AppError, InvalidRequest, type Issue } from "../../errors/app-error.ts";
import { mapInSlices } from "../../lib/concurrency/in-slices.ts";
import { meterOf } from "../../meters/index.ts";
import { type Meter, unitOn } from "../../meters/meter.ts";
import { countContracts, insertContracts } from "../../store/contracts/contracts.ts";
import { insertTargets } from "../../store/contracts/targets.ts";
import { recordWatchChanges } from "../../store/engine/watch.ts";
import type { Db } from "../../store/open-store.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import { tierLimits, tierName } from "../../tiers.ts";
import type { ContractCreate } from "../../wire/contracts/contracts.ts";
import type { OrgCaller } from "../caller.ts";
import type { WriteContext } from "../write-context.ts";
import { requireAbiBudget } from "./abi-budget.ts";
import { supportStatus } from "./contract-status.ts";
import { readConfig, supportOn, targetIssues } from "./target-config.ts";
import { targetNameIssues } from "./target-names.ts";
import { requireTargetQuota } from "./targets.ts";

/** A validated contract to be created. */
export type CheckedContract = {
  chain: Chain;
  address: string;
  input: Pick<ContractCreate, "label" | "selected_targets" | "abi">;
  /** The location of the input in the request. */
  loc: (string | number)[];
  /** The source of the ABI and the external reference of an imported contract. */
  origin?: { abi_source: "upload" | "import"; external_ref: string | null };
};

/** The result of checking the ABI of a new contract, and the ABI to compare names with, if it can be used. */
export type CheckedAbi = { issues: Issue[]; abi: AbiIndex | undefined };

const noAbi: CheckedAbi = { issues: [], abi: undefined };

/** Validates the input for a new contract; throws all issues together. The ABI is checked before. */
export function checkContract(
  findChain: (key: string) => Chain | undefined,
  input: ContractCreate,
  loc: (string | number)[] = ["body"],
  checkedAbi = noAbi,
): CheckedContract {
  const chain = findChain(input.chain);
  const address = parseAddressOn(chain, input.address);
  const issues = contractIssues(findChain, input, loc, checkedAbi);
  if (!chain || !address || issues.length > 0) throw new InvalidRequest(issues);
  return { chain, address, input, loc };
}

/** Finds errors in the given fields of a new contract. The ABI is checked before. */
export function contractIssues(
  findChain: (key: string) => Chain | undefined,
  input: Partial<ContractCreate>,
  loc: (string | number)[],
  { issues, abi } = noAbi,
): Issue[] {
  const chain = input.chain === undefined ? undefined : findChain(input.chain);
  return [
    ...(input.chain === undefined || chain ? [] : [unknownChain(loc)]),
    ...(input.address === undefined || parseAddressOn(chain, input.address) ? [] : [invalidAddress(loc)]),
    ...(input.selected_targets ?? []).flatMap((target, index) => {
      const at = [...loc, "selected_targets", index];
      const problems = targetIssues(target, at);
      return problems.length > 0 || !chain ? problems : nameIssues(chain, abi, target.config, at);
    }),
    ...issues,
  ];
}

function unknownChain(loc: (string | number)[]): Issue {
  return { loc: [...loc, "chain"], msg: "is not an enabled chain", type: "value_error" };
}

function invalidAddress(loc: (string | number)[]): Issue {
  return { loc: [...loc, "address"], msg: "is not an address on this chain", type: "value_error" };
}

/** Without an ABI, only the names that the signature itself declares are known. */
function nameIssues(
  chain: Chain,
  abi: AbiIndex | undefined,
  config: Record<string, unknown> = {},
  loc: (string | number)[] = [],
): Issue[] {
  return targetNameIssues(config, { chain, abi: emptyAbi, ...(abi && { abi, ...abi }) }, loc);
}

/** Returns how many more contracts the org may have. Locks the org, so that concurrent requests cannot exceed the quota. */
export async function remainingContractQuota(
  tx: Db,
  org_id: string,
): Promise<{ remaining: number; quotaError: AppError }> {
  const { tier } = await lockOrg(tx, org_id);
  const { contracts } = tierLimits[tier];
  const remaining = Math.max(0, contracts - (await countContracts(tx, org_id)));
  const message = `The ${tierName(tier)} tier allows ${contracts} contracts.`;
  return { remaining, quotaError: new AppError("quota_exceeded", message) };
}

/** Rows per statement: PostgreSQL accepts at most 65,535 parameters. */
const batch = 500;

/**
 * Inserts contracts with their targets. The transaction must hold the lock of the org, with quota left. Returns the ids in the
 * given order; undefined for a contract that is already monitored.
 */
export async function addContracts(
  { app, tx, caller, effects }: WriteContext,
  checked: CheckedContract[],
): Promise<(string | undefined)[]> {
  const prepare = (contract: CheckedContract) => ({
    ...contract,
    id: newId(app),
    targets: targetsOf(caller, contract),
  });
  const prepared = await mapInSlices(checked, prepare, 1);
  const added = new Set<string>();
  for (let from = 0; from < prepared.length; from += batch) {
    const batchOfContracts = prepared.slice(from, from + batch);
    const rows = await mapInSlices(batchOfContracts, (contract) => rowOf(app, caller, contract), 1);
    const isNew = await insertContracts(tx, rows);
    const fresh = batchOfContracts.filter(({ id }) => isNew.has(id));
    const targets = await mapInSlices(fresh, (contract) => targetRowsOf(app, caller, contract), 1);
    await insertTargets(tx, targets.flat());
    for (const [chain, group] of Map.groupBy(fresh, (contract) => contract.chain.chain)) {
      await recordWatchChanges(
        tx,
        chain,
        group.map(({ id }) => id),
      );
    }
    for (const { id, chain, address } of fresh) {
      added.add(id);
      const details = { chain: chain.chain, address };
      effects.audit({
        org_id: caller.org_id,
        action: "contract.created",
        subject: { type: "contract", id },
        details,
      });
    }
  }
  if (prepared.some(({ input }) => input.abi !== undefined)) await requireAbiBudget(tx, caller.org_id);
  if (added.size > 0) effects.hint({ topic: "watch.changed" });
  return prepared.map(({ id }) => (added.has(id) ? id : undefined));
}

type NewTarget = { type: string; meter: Meter | undefined; config: Record<string, unknown> };
type NewContract = CheckedContract & { id: string; targets: NewTarget[] };

/** Returns the initial targets; of a type that is unique per contract, the last one given. */
function targetsOf(caller: OrgCaller, { input, loc }: CheckedContract): NewTarget[] {
  const targets = new Map<string, NewTarget>();
  for (const [index, { target_type: type, config = {} }] of (input.selected_targets ?? []).entries()) {
    const meter = meterOf(type);
    const targetLoc = [...loc, "selected_targets", index];
    const key = meter?.instances === "one" ? type : `${type} ${index}`;
    targets.set(key, { type, meter, config: readConfig(meter, config, targetLoc) });
  }
  if (targets.size > 0) requireTargetQuota(caller, targets.size - 1);
  return [...targets.values()];
}

function targetRowsOf(app: App, caller: OrgCaller, { id, chain, targets }: NewContract) {
  const now = app.clock.now();
  return targets.map(({ type, meter, config }) => ({
    id: newId(app),
    org_id: caller.org_id,
    contract_id: id,
    target_type: type,
    name: meter?.title ?? type,
    config: JSON.stringify(config),
    unit: meter ? unitOn(meter, config, chain) : null,
    is_singleton: meter?.instances === "one",
    last_value: null,
    last_value_at: null,
    created_at: now,
    updated_at: now,
    ...supportOn(chain.kind, type, config),
  }));
}

function rowOf(app: App, caller: OrgCaller, { id, chain, address, input, origin, targets }: NewContract) {
  const now = app.clock.now();
  const hasAbi = input.abi !== undefined;
  return {
    id,
    org_id: caller.org_id,
    chain: chain.chain,
    chain_id: String(chain.chain_id),
    address,
    label: input.label ?? `${address.slice(0, 8)}…${address.slice(-4)}`,
    status: targets.length > 0 ? ("MONITORING" as const) : ("PENDING" as const),
    ...supportStatus(targets.map(({ type, config }) => supportOn(chain.kind, type, config))),
    implementation_address: null,
    is_verified: null,
    abi: hasAbi ? JSON.stringify(input.abi) : null,
    abi_source: hasAbi ? (origin?.abi_source ?? ("upload" as const)) : ("none" as const),
    last_activity_at: null,
    external_ref: origin?.external_ref ?? null,
    created_by: caller.user_id,
    created_at: now,
    updated_at: now,
  };
}
