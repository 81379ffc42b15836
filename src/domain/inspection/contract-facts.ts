import type { App } from "../../app.ts";
import { givenInterface } from "../../chains/decoding/stored-interfaces.ts";
import { type AbiIndex, mergeAbis } from "../../chains/evm/abi/abi.ts";
import { compileStoredAbi } from "../../chains/evm/abi/stored-abi.ts";
import { chainOf } from "../../chains/index.ts";
import { AppError } from "../../errors/app-error.ts";
import { type Offload, offloadFor } from "../../lib/concurrency/worker-pool.ts";
import { nameIn } from "../../meters/words.ts";
import { type ContractRow, findContract } from "../../store/contracts/contracts.ts";
import { findWatched, type WatchRow } from "../../store/engine/watch.ts";
import { findProfile, type InspectedContract } from "../../store/inspection/inspections.ts";
import type { Db } from "../../store/open-store.ts";
import type { ContractFacts } from "../../templates/template.ts";
import type { OrgCaller } from "../caller.ts";
import { viewerOf } from "../viewer-of.ts";

/** A contract with its stored facts, without targets. */
export type KnownContract = {
  contract_id: string;
  chain: string;
  address: string;
  facts: Omit<ContractFacts, "targets">;
};

/** Loads the stored facts of a contract, without reading the chain, and those of an inspection that is not stored. */
export async function loadFacts(
  { workers }: Pick<App, "workers">,
  db: Db,
  caller: OrgCaller,
  contract_id: string,
  inspected?: InspectedContract,
): Promise<KnownContract> {
  const storedRow = await findContract(db, viewerOf(caller), contract_id);
  const storedWatch = storedRow && (await findWatched(db, caller.org_id, contract_id));
  if (!storedRow || !storedWatch) throw new AppError("not_found", "There is no such contract.");
  const { row, watched } = withInspection({ row: storedRow, watched: storedWatch }, inspected);
  const facts = {
    kind: chainOf(row.chain)?.kind ?? ("evm" as const),
    contract_type: row.contract_type,
    profile: inspected?.profile ?? (await findProfile(db, contract_id)),
    is_proxy: isProxy(row, watched),
    ...(await knownInterface(row, watched, offloadFor(workers, caller.org_id))),
  };
  return { contract_id, chain: row.chain, address: row.address, facts };
}

/** Returns the rows of a contract as they will be when an inspection is recorded. */
export function withInspection(
  { row, watched }: { row: ContractRow; watched: WatchRow },
  inspected: InspectedContract | undefined,
): { row: ContractRow; watched: WatchRow } {
  if (!inspected) return { row, watched };
  const { abi, abi_source, contract_type } = inspected;
  const isNewAbi = abi !== null && ["none", "registry", "bytecode"].includes(row.abi_source);
  return {
    row: {
      ...row,
      contract_type,
      is_proxy: row.is_proxy || inspected.is_proxy,
      abi_source: isNewAbi ? abi_source : row.abi_source,
    },
    watched: { ...watched, abi: isNewAbi ? givenInterface(abi) : watched.abi },
  };
}

/** Returns the events and functions of a contract; undefined while they are unknown. */
export async function knownInterface(
  row: ContractRow,
  watched: WatchRow,
  offload: Offload,
): Promise<Pick<ContractFacts, "events" | "functions">> {
  const abi = await knownAbi(row, watched, offload);
  // Bytecode does not reveal which events it emits.
  return { events: row.abi_source === "bytecode" ? undefined : abi?.events, functions: abi?.functions };
}

/** Returns undefined if the contract was not inspected yet. */
function isProxy({ is_proxy, contract_type }: ContractRow, { code }: WatchRow): boolean | undefined {
  if (is_proxy) return true;
  return code || contract_type !== "unknown" ? false : undefined;
}

/** Returns the merged ABI of the contract and its implementation; undefined if unknown. */
async function knownAbi(
  { is_proxy }: ContractRow,
  { abi, implementation_abi }: WatchRow,
  offload: Offload,
): Promise<AbiIndex | undefined> {
  const storedAbi = await compileStoredAbi(abi, offload);
  const merged = mergeAbis(storedAbi, await compileStoredAbi(implementation_abi, offload));
  const names = [...merged.functions.values()].flat().map(({ signature }) => nameIn(signature));
  if (is_proxy && names.every((name) => proxyFunctions.has(name))) return undefined;
  return names.length > 0 || merged.events.size > 0 ? merged : undefined;
}

/** An ABI with only these functions is that of a proxy and says nothing about the implementation. */
const proxyFunctions = new Set([
  "admin",
  "changeAdmin",
  "implementation",
  "masterCopy",
  "upgradeTo",
  "upgradeToAndCall",
]);
