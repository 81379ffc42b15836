import { type App, newId } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { compileAbi } from "../../chains/evm/abi/abi.ts";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import type { Monitor, Warning } from "../../imports/defender/monitor.ts";
import { chainOfNetwork } from "../../imports/defender/networks.ts";
import { listWatchedAt, setAbi } from "../../store/contracts/contracts.ts";
import { insertMissingLabels } from "../../store/contracts/labels.ts";
import { listTargetsOfType } from "../../store/contracts/targets.ts";
import type { Db } from "../../store/open-store.ts";
import { listEditableIds } from "../../store/viewer.ts";
import type { OrgCaller } from "../caller.ts";
import {
  addContracts,
  type CheckedContract,
  checkContract,
  remainingContractQuota,
} from "../contracts/new-contract.ts";
import { addTarget } from "../contracts/targets.ts";
import type { TxEffects } from "../transaction.ts";
import { viewerOf } from "../viewer-of.ts";

const maxLabels = 20;

/** A monitor at one of its addresses, with what it was put on, or why it could not be. */
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

/** Finds or makes the contract and the `tx_rate` target of every monitor at every address, as far as there is room. */
export async function placeMonitors(
  app: App,
  tx: Db,
  caller: OrgCaller,
  effects: TxEffects,
  monitors: Monitor[],
  findChain: (key: string) => Chain | undefined,
): Promise<{ items: PlacedMonitor[]; contracts_created: number; targets_created: number }> {
  const carryAbi = makeAbiCarrier();
  const wanted = monitors.flatMap((monitor) => placesOf(monitor, findChain, carryAbi));
  const good = wanted.flatMap((one) => ("contract" in one ? [one.contract] : []));
  // Under the org's lock, so that what another import has just added is known.
  const { remaining, quotaError } = await remainingContractQuota(tx, caller.org_id);
  const known = await listWatchedAt(tx, caller.org_id, good.map(placeOf));
  const missing = firstOfEach(good).filter((one) => !known.has(keyOf(placeOf(one))));
  const chosen = missing.slice(0, remaining);
  const ids = await addContracts(app, tx, caller, chosen, effects);
  const found = new Map(known);
  for (const [index, one] of chosen.entries()) {
    const id = ids[index];
    if (id) found.set(keyOf(placeOf(one)), id);
  }
  const mayChange = await listEditableIds(tx, viewerOf(caller), [...found.values()]);
  const targets = await listTargetsOfType(tx, caller.org_id, [...found.values()], "tx_rate");
  let targets_created = chosen.length;
  const items: PlacedMonitor[] = [];
  for (const one of wanted) {
    const { monitor, chain, address, warnings } = one;
    const fail = (code: string, message: string) =>
      items.push({ monitor, chain, address, warnings, contract_id: null, code, message });
    if ("code" in one) {
      fail(one.code, one.message);
      continue;
    }
    const contract_id = found.get(keyOf(placeOf(one.contract)));
    if (!contract_id) fail("quota_exceeded", quotaError.message);
    else if (!mayChange.has(contract_id)) fail("role_required", "You may not change this contract.");
    else {
      const target = targets.get(contract_id);
      const made = target?.is_enabled ? target : await switchOn(app, tx, caller, contract_id);
      if (made instanceof AppError) fail(made.code, made.message);
      else {
        if (!target) targets_created++;
        targets.set(contract_id, { id: made.id, is_enabled: true });
        items.push({ monitor, chain, address, warnings, contract_id, target_id: made.id });
      }
    }
  }
  await addFacts(app, tx, caller, items, wanted, new Set(known.values()));
  return { items, contracts_created: chosen.length, targets_created };
}

/** The target that everything imported hangs on; a contract may have no room for it. */
async function switchOn(
  app: App,
  tx: Db,
  caller: OrgCaller,
  contract_id: string,
): Promise<{ id: string } | AppError> {
  try {
    return await addTarget(app, tx, caller, contract_id, { target_type: "tx_rate" }, ["body", "export"]);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** What a contract that was there already did not know yet: an ABI, and the risk that its monitors were filed under. */
async function addFacts(
  app: App,
  tx: Db,
  caller: OrgCaller,
  items: PlacedMonitor[],
  wanted: Wanted[],
  known: Set<string>,
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
  for (const [index, item] of items.entries()) {
    const one = wanted[index];
    if (!one || !("contract" in one) || !item.contract_id || !known.has(item.contract_id)) continue;
    const { abi } = one.contract.input;
    if (abi !== undefined) {
      known.delete(item.contract_id);
      await setAbi(tx, caller.org_id, item.contract_id, abi);
    }
  }
}

function placesOf(
  monitor: Monitor,
  findChain: (key: string) => Chain | undefined,
  carryAbi: ReturnType<typeof makeAbiCarrier>,
): Wanted[] {
  const chain = chainOfNetwork(monitor.network);
  const places = new Map(monitor.places.map((place) => [place.address.toLowerCase(), place]));
  const fail = (address: string, code: string, message: string): Wanted => {
    const key = typeof chain === "string" ? monitor.network.slice(0, 100) : chain.chain;
    return { monitor, chain: key, address: address.slice(0, 200), warnings: monitor.warnings, code, message };
  };
  if (places.size === 0) return [fail("", "invalid_address", "The monitor names no address.")];
  return [...places.values()].map(({ address, abi }) => {
    if (typeof chain === "string") return fail(address, "unsupported_chain", chain);
    if (!findChain(chain.chain))
      return fail(address, "unsupported_chain", `${chain.name} does not run here.`);
    const carried = carryAbi(abi);
    const warnings = [...monitor.warnings, ...carried.warnings];
    try {
      const contract = checkContract(findChain, {
        chain: chain.chain,
        address,
        label: plainLine(monitor.name, 100),
        selected_targets: [{ target_type: "tx_rate" }],
        ...(carried.abi !== undefined && { abi: carried.abi }),
      });
      const origin = { abi_source: "import" as const, external_ref: null };
      return { monitor, chain: chain.chain, address, warnings, contract: { ...contract, origin } };
    } catch (error) {
      if (error instanceof InvalidRequest)
        return fail(address, "invalid_address", "This is not an address on the chain.");
      throw error;
    }
  });
}

type CarriedAbi = { abi?: unknown; warnings: Warning[] };

/** Every contract keeps its own copy of an ABI, and one may be shared by thousands of addresses. */
const maxAbiCharacters = 50_000_000;

/** The ABI stands there as text or as it is; each is read once, and one that cannot be kept is left out, which is said. */
function makeAbiCarrier(): (abi: unknown) => CarriedAbi {
  const known = new Map<unknown, CarriedAbi & { length: number }>();
  let left = maxAbiCharacters;
  return (abi) => {
    if (abi === undefined || abi === null || abi === "") return { warnings: [] };
    const one = known.get(abi) ?? readOnce(abi);
    known.set(abi, one);
    left -= one.length;
    return left >= 0 || one.length === 0
      ? one
      : {
          warnings: [
            { code: "invalid_abi", message: "The ABI is too large for so many addresses and was left out." },
          ],
        };
  };
}

function readOnce(abi: unknown): CarriedAbi & { length: number } {
  const value = typeof abi === "string" ? parse(abi) : abi;
  if (value !== undefined && compileAbi(value).ok)
    return { abi: value, warnings: [], length: JSON.stringify(value).length };
  const message = "The monitor's ABI cannot be read and was left out.";
  return { warnings: [{ code: "invalid_abi", message }], length: 0 };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One line without anything that does not print. */
export function plainLine(text: string, most: number): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
  return Array.from(line).slice(0, most).join("").trim() || "Unnamed";
}

function firstOfEach(contracts: CheckedContract[]): CheckedContract[] {
  return [...new Map(contracts.toReversed().map((one) => [keyOf(placeOf(one)), one])).values()].toReversed();
}

const placeOf = ({ chain, address }: CheckedContract) => ({ chain: chain.chain, address });
const keyOf = ({ chain, address }: { chain: string; address: string }) => `${chain} ${address}`;
