import { newId } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import type { Monitor, Warning } from "../../imports/defender/monitor.ts";
import { chainOfNetwork } from "../../imports/defender/networks.ts";
import { flatMapInSlices } from "../../lib/concurrency/in-slices.ts";
import { changeSliceMs, makePause } from "../../lib/concurrency/pauses.ts";
import { listWatchedAt, setAbi } from "../../store/contracts/contracts.ts";
import { insertMissingLabels } from "../../store/contracts/labels.ts";
import { listTargetsOfType } from "../../store/contracts/targets.ts";
import { listEditableIds } from "../../store/viewer.ts";
import { readOnlyMessage } from "../access.ts";
import { requireAbiBudget } from "../contracts/abi-budget.ts";
import {
  addContracts,
  type CheckedContract,
  checkContract,
  remainingContractQuota,
} from "../contracts/new-contract.ts";
import { addTarget } from "../contracts/targets.ts";
import { viewerOf } from "../viewer-of.ts";
import type { WriteContext } from "../write-context.ts";
import { plainLine } from "./plain-line.ts";

const maxLabels = 20;
/** Monitors that are located without a pause. Each has an ABI to check. */
const sliceLength = 100;

/** A monitor at one of its addresses, with its contract and target, or the reason for the failure. */
export type PlacedMonitor = {
  monitor: Monitor;
  chain: string;
  address: string;
  warnings: Warning[];
} & ({ contract_id: string; target_id: string } | { contract_id: null; code: string; message: string });

type Wanted = { monitor: Monitor; chain: string; address: string; warnings: Warning[] } & (
  | { contract: CheckedContract }
  | { code: string; message: string }
);

/** Finds or creates the contract and the `tx_rate` target of every monitor and address, within the quota. */
export async function placeMonitors(
  context: WriteContext,
  monitors: Monitor[],
  findChain: (key: string) => Chain | undefined,
): Promise<{ items: PlacedMonitor[]; contracts_created: number; targets_created: number }> {
  const { tx, caller } = context;
  const wanted = await flatMapInSlices(monitors, (monitor) => locateMonitor(monitor, findChain), sliceLength);
  const valid = wanted.flatMap((monitor) => ("contract" in monitor ? [monitor.contract] : []));
  // Locks the org, so that contracts of a concurrent import are visible.
  const { remaining, quotaError } = await remainingContractQuota(tx, caller.org_id);
  const watched = await listWatchedAt(tx, caller.org_id, valid.map(locationOf));
  const missing = firstOfEach(valid).filter(
    (checkedContract) => !watched.has(keyOf(locationOf(checkedContract))),
  );
  const chosen = missing.slice(0, remaining);
  const ids = await addContracts(context, chosen);
  const contractIds = new Map(watched);
  for (const [index, checkedContract] of chosen.entries()) {
    const id = ids[index];
    if (id) contractIds.set(keyOf(locationOf(checkedContract)), id);
  }
  const placer = await makePlacer(context, contractIds, quotaError);
  const placedMonitors: PlacedMonitor[] = [];
  const pause = makePause(changeSliceMs);
  for (const monitor of wanted) {
    placedMonitors.push(await placer.place(monitor));
    await pause();
  }
  await addFacts(context, placedMonitors, wanted, new Set(watched.values()));
  return {
    items: placedMonitors,
    contracts_created: chosen.length,
    targets_created: chosen.length + placer.targetsCreated(),
  };
}

/** Puts monitors on their contracts, found by location; creates or enables missing targets. */
async function makePlacer(context: WriteContext, contractIds: Map<string, string>, quotaError: AppError) {
  const { tx, caller } = context;
  const editable = await listEditableIds(tx, viewerOf(caller), [...contractIds.values()]);
  const targets = await listTargetsOfType(tx, caller.org_id, [...contractIds.values()], "tx_rate");
  let targetsCreated = 0;
  const place = async (wanted: Wanted): Promise<PlacedMonitor> => {
    const { monitor, chain, address, warnings } = wanted;
    const fail = (code: string, message: string): PlacedMonitor => {
      return { monitor, chain, address, warnings, contract_id: null, code, message };
    };
    if ("code" in wanted) return fail(wanted.code, wanted.message);
    const contract_id = contractIds.get(keyOf(locationOf(wanted.contract)));
    if (!contract_id) return fail("quota_exceeded", quotaError.message);
    if (!editable.has(contract_id)) return fail("role_required", readOnlyMessage);
    const target = targets.get(contract_id);
    const enabled = target?.is_enabled ? target : await enableTarget(context, contract_id);
    if (enabled instanceof AppError) return fail(enabled.code, enabled.message);
    if (!target) targetsCreated++;
    targets.set(contract_id, { id: enabled.id, is_enabled: true });
    return { monitor, chain, address, warnings, contract_id, target_id: enabled.id };
  };
  return { place, targetsCreated: () => targetsCreated };
}

/** Creates or enables the target of imported rules; returns the error if the quota is exhausted. */
async function enableTarget(context: WriteContext, contract_id: string): Promise<{ id: string } | AppError> {
  try {
    return await addTarget(context, contract_id, { target_type: "tx_rate" }, ["body", "export"]);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Adds risk labels to contracts, and ABIs to contracts that existed before without one. */
async function addFacts(
  { app, tx, caller }: WriteContext,
  items: PlacedMonitor[],
  wanted: Wanted[],
  watched: Set<string>,
): Promise<void> {
  const risks = items.flatMap(({ contract_id, monitor }) =>
    contract_id && monitor.risk ? [{ contract_id, value: plainLine(monitor.risk.slice(0, 200), 50) }] : [],
  );
  const distinct = new Map(risks.map((risk) => [`${risk.contract_id} ${risk.value.toLowerCase()}`, risk]));
  await insertMissingLabels(
    tx,
    [...distinct.values()].map(({ contract_id, value }) => ({
      id: newId(app),
      org_id: caller.org_id,
      contract_id,
      key: "risk",
      value,
      color: null,
      created_at: app.clock.now(),
    })),
    maxLabels,
  );
  let hasAbi = false;
  for (const [index, item] of items.entries()) {
    const monitor = wanted[index];
    if (!monitor || !("contract" in monitor) || !item.contract_id || !watched.has(item.contract_id)) continue;
    const { abi } = monitor.contract.input;
    if (abi !== undefined) {
      hasAbi = true;
      watched.delete(item.contract_id);
      await setAbi(tx, caller.org_id, item.contract_id, abi);
    }
  }
  if (hasAbi) await requireAbiBudget(tx, caller.org_id);
}

function locateMonitor(monitor: Monitor, findChain: (key: string) => Chain | undefined): Wanted[] {
  const chain = chainOfNetwork(monitor.network);
  const contracts = new Map(monitor.contracts.map((contract) => [contract.address.toLowerCase(), contract]));
  const fail = (address: string, code: string, message: string): Wanted => {
    const key = typeof chain === "string" ? monitor.network.slice(0, 100) : chain.chain;
    return { monitor, chain: key, address: address.slice(0, 200), warnings: monitor.warnings, code, message };
  };
  if (contracts.size === 0) return [fail("", "invalid_address", "The monitor has no address.")];
  return [...contracts.values()].map(({ address, abi, abiWarnings = [] }) => {
    if (typeof chain === "string") return fail(address, "unsupported_chain", chain);
    if (!findChain(chain.chain)) return fail(address, "unsupported_chain", `${chain.name} is not enabled.`);
    const warnings = [...monitor.warnings, ...abiWarnings];
    try {
      const contract = checkContract(findChain, {
        chain: chain.chain,
        address,
        label: plainLine(monitor.name, 100),
        selected_targets: [{ target_type: "tx_rate" }],
        ...(abi !== undefined && { abi }),
      });
      const origin = { abi_source: "import" as const, external_ref: null };
      return { monitor, chain: chain.chain, address, warnings, contract: { ...contract, origin } };
    } catch (error) {
      if (error instanceof InvalidRequest)
        return fail(address, "invalid_address", "This is not a valid address on the chain.");
      throw error;
    }
  });
}

function firstOfEach(contracts: CheckedContract[]): CheckedContract[] {
  return [
    ...new Map(contracts.toReversed().map((contract) => [keyOf(locationOf(contract)), contract])).values(),
  ].toReversed();
}

const locationOf = ({ chain, address }: CheckedContract) => ({ chain: chain.chain, address });
const keyOf = ({ chain, address }: { chain: string; address: string }) => `${chain} ${address}`;
