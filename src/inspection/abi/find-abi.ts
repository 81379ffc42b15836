import type { Hex } from "../../chains/block.ts";
import { type AbiIndex, type AbiItem, compileAbi, emptyAbi, mergeAbis } from "../../chains/evm/abi/abi.ts";
import type { AbiFunction } from "../../chains/evm/abi/abi-item.ts";
import { packAbiTask, unpackAbi } from "../../chains/evm/abi/packed-abi.ts";
import { canonicalFunction } from "../../chains/evm/abi/signature.ts";
import { WorkLimitExceeded } from "../../lib/concurrency/worker-pool.ts";
import { abiSources } from "../abi-sources/index.ts";
import { functionsInCode } from "./bytecode.ts";
import { type ExternalServices, SourceError, type SourceReport } from "./external-services.ts";
import { nameSelectors } from "./signature-names.ts";

/** The ABI of a contract and its origin. */
export type FoundAbi = {
  abi: AbiIndex;
  /** `registry`: published by its authors. `bytecode`: recovered selectors, whose names may be wrong. */
  abi_source: "registry" | "bytecode" | "none";
  /** True if the source is verified; null if no registry replied. */
  is_verified: boolean | null;
  name: string | null;
  /** All function selectors of the contract, with or without a known name. */
  selectors: Hex[];
  sources: SourceReport[];
};

const foundTtlMs = 600_000;
const notFoundTtlMs = 120_000;
const failureTtlMs = 20_000;

/** Returns the ABI of a contract from the first registry that has it, else from its bytecode. */
export async function findAbi(
  services: ExternalServices,
  chain_id: number,
  contract: { address: string; code: Hex },
  timeoutMs: number,
): Promise<FoundAbi> {
  const sources: SourceReport[] = [];
  for (const source of abiSources) {
    const key = `${source.name} ${chain_id} ${contract.address}`;
    const result = await services.cache.get(key, cacheTtlMs, () =>
      querySource(services, source.name, () => source.find(services, chain_id, contract.address, timeoutMs)),
    );
    sources.push(result.report);
    if (result.abi) return fromRegistry(services, { ...result, abi: result.abi }, contract.code, sources);
  }
  return fromBytecode(services, contract.code, sources, timeoutMs);
}

type SourceResult = { report: SourceReport; abi?: AbiIndex; name: string | null };

function cacheTtlMs({ report }: SourceResult): number {
  if (report.status === "found") return foundTtlMs;
  return report.status === "not_found" ? notFoundTtlMs : failureTtlMs;
}

/** Reports a failure of the source, or an invalid ABI, as a status instead of throwing. */
async function querySource(
  { offload }: ExternalServices,
  source: string,
  find: () => Promise<{ abi: unknown; name: string | null }>,
): Promise<SourceResult> {
  try {
    const { abi, name } = await find();
    const read = await offload(packAbiTask, abi);
    if (!read.ok) throw new SourceError("invalid", "The service returned an invalid ABI.");
    return { report: { source, status: "found", detail: null }, abi: unpackAbi(read.packed), name };
  } catch (error) {
    if (error instanceof WorkLimitExceeded)
      return { report: { source, status: "invalid", detail: `The ABI ${error.message}.` }, name: null };
    if (!(error instanceof SourceError)) throw error;
    return { report: { source, status: error.status, detail: error.message }, name: null };
  }
}

async function fromRegistry(
  services: ExternalServices,
  { abi, name }: { abi: AbiIndex; name: string | null },
  code: Hex,
  sources: SourceReport[],
): Promise<FoundAbi> {
  const { functions } = await functionsInCode(services.offload, code);
  const inCode = functions.map(({ selector }) => selector);
  const selectors = [...new Set([...(abi.functions.keys() as Iterable<Hex>), ...inCode])];
  return { abi, abi_source: "registry", is_verified: true, name, selectors, sources };
}

async function fromBytecode(
  services: ExternalServices,
  code: Hex,
  sources: SourceReport[],
  timeoutMs: number,
): Promise<FoundAbi> {
  const { functions, problem } = await functionsInCode(services.offload, code);
  const selectors = functions.map(({ selector }) => selector);
  const { names, report } = await nameSelectors(services, selectors, timeoutMs);
  const items = functions.flatMap(({ selector, state_mutability }) => {
    const read = canonicalFunction(names.get(selector) ?? "");
    return read.ok ? [withMutability(read.item, state_mutability)] : [];
  });
  const read = compileAbi(items);
  const status = problem ? "unavailable" : functions.length > 0 ? "found" : "not_found";
  const isConfirmedMissing = sources.some((source) => source.status === "not_found");
  return {
    abi: read.ok ? read.abi : emptyAbi,
    abi_source: items.length > 0 ? "bytecode" : "none",
    is_verified: isConfirmedMissing ? false : null,
    name: null,
    selectors,
    sources: [...sources, report, { source: "bytecode", status, detail: problem }],
  };
}

function withMutability(item: AbiFunction, stateMutability: string | null): AbiFunction {
  const mutability = (["pure", "view", "payable", "nonpayable"] as const).find(
    (mutability) => mutability === stateMutability,
  );
  return mutability ? { ...item, stateMutability: mutability } : item;
}

/** Merges the ABIs of several contracts, such as the facets of a diamond. */
export function joinAbis(abis: readonly FoundAbi[]): FoundAbi {
  const [first, ...others] = abis;
  if (!first)
    return { abi: emptyAbi, abi_source: "none", is_verified: null, name: null, selectors: [], sources: [] };
  return others.reduce(
    (joined, other) => ({
      abi: mergeAbis(joined.abi, other.abi),
      abi_source: lowerAbiSource(joined.abi_source, other.abi_source),
      is_verified: joined.is_verified === other.is_verified ? joined.is_verified : false,
      name: joined.name,
      selectors: [...new Set([...joined.selectors, ...other.selectors])],
      sources: joined.sources,
    }),
    first,
  );
}

function lowerAbiSource(a: FoundAbi["abi_source"], b: FoundAbi["abi_source"]): FoundAbi["abi_source"] {
  return a === "registry" && b === "registry"
    ? "registry"
    : a === "none" && b === "none"
      ? "none"
      : "bytecode";
}

const maxItems = 1000;

/** Returns the items of an ABI as JSON, up to a maximum number. */
export function itemsOf({ events, functions, errors }: AbiIndex): AbiItem[] {
  const entries = [functions, events, errors].flatMap((map) => [...map.values()].flat());
  return entries.slice(0, maxItems).map(({ item }) => item);
}
