import type { AbiFunction } from "viem";
import type { Hex } from "../../chains/block.ts";
import { type AbiIndex, type AbiItem, compileAbi, emptyAbi, mergeAbis } from "../../chains/evm/abi/abi.ts";
import { canonicalFunction } from "../../chains/evm/abi/signature.ts";
import { abiSources } from "../abi-sources/index.ts";
import { functionsInCode } from "./bytecode.ts";
import { type Services, SourceFailure, type SourceReport } from "./lookup-services.ts";
import { nameSelectors } from "./signature-names.ts";

/** What is known of how to speak to a contract. */
export type FoundAbi = {
  abi: AbiIndex;
  /** `registry` is what its authors published; `bytecode` was recovered, by names that may be somebody else's. */
  abi_source: "registry" | "bytecode" | "none";
  /** Whether its source is published; null where nobody could be asked. */
  is_verified: boolean | null;
  name: string | null;
  /** Every selector that it answers to, named or not. */
  selectors: Hex[];
  sources: SourceReport[];
};

const keptMs = 600_000;
const missingKeptMs = 120_000;
const failureKeptMs = 20_000;

/** The ABI at an address, from the first source that has it, or else from its code. */
export async function findAbi(
  services: Services,
  chain_id: number,
  place: { address: string; code: Hex },
  timeoutMs: number,
): Promise<FoundAbi> {
  const sources: SourceReport[] = [];
  for (const source of abiSources) {
    const key = `${source.name} ${chain_id} ${place.address}`;
    const found = await services.cache.get(key, keepMs, () =>
      settle(source.name, () => source.find(services, chain_id, place.address, timeoutMs)),
    );
    sources.push(found.report);
    if (found.abi) return published(found.abi, found.name, place.code, sources);
  }
  return recovered(services, place.code, sources, timeoutMs);
}

type Settled = { report: SourceReport; abi?: AbiIndex; name: string | null };

function keepMs({ report }: Settled): number {
  if (report.status === "found") return keptMs;
  return report.status === "not_found" ? missingKeptMs : failureKeptMs;
}

/** What is no ABI counts as an answer that makes no sense. */
async function settle(
  source: string,
  find: () => Promise<{ abi: unknown; name: string | null }>,
): Promise<Settled> {
  try {
    const { abi, name } = await find();
    const read = compileAbi(abi);
    if (!read.ok) throw new SourceFailure("invalid", "What it has is not an ABI.");
    return { report: { source, status: "found", detail: null }, abi: read.abi, name };
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    return { report: { source, status: error.status, detail: error.message }, name: null };
  }
}

async function published(
  abi: AbiIndex,
  name: string | null,
  code: Hex,
  sources: SourceReport[],
): Promise<FoundAbi> {
  const inCode = (await functionsInCode(code)).map(({ selector }) => selector);
  const selectors = [...new Set([...(abi.functions.keys() as Iterable<Hex>), ...inCode])];
  return { abi, abi_source: "registry", is_verified: true, name, selectors, sources };
}

async function recovered(
  services: Services,
  code: Hex,
  sources: SourceReport[],
  timeoutMs: number,
): Promise<FoundAbi> {
  const functions = await functionsInCode(code);
  const selectors = functions.map(({ selector }) => selector);
  const { names, report } = await nameSelectors(services, selectors, timeoutMs);
  const items = functions.flatMap(({ selector, state_mutability }) => {
    const read = canonicalFunction(names.get(selector) ?? "");
    return read.ok ? [withMutability(read.item, state_mutability)] : [];
  });
  const read = compileAbi(items);
  const status = functions.length > 0 ? "found" : "not_found";
  const answered = sources.some((one) => one.status === "not_found");
  return {
    abi: read.ok ? read.abi : emptyAbi,
    abi_source: items.length > 0 ? "bytecode" : "none",
    is_verified: answered ? false : null,
    name: null,
    selectors,
    sources: [...sources, report, { source: "bytecode", status, detail: null }],
  };
}

function withMutability(item: AbiFunction, found: string | null): AbiFunction {
  const known = (["pure", "view", "payable", "nonpayable"] as const).find((one) => one === found);
  return known ? { ...item, stateMutability: known } : item;
}

/** Several contracts as one, as a diamond's facets are. */
export function joinAbis(found: readonly FoundAbi[]): FoundAbi {
  const [first, ...others] = found;
  if (!first)
    return { abi: emptyAbi, abi_source: "none", is_verified: null, name: null, selectors: [], sources: [] };
  return others.reduce(
    (whole, one) => ({
      abi: mergeAbis(whole.abi, one.abi),
      abi_source: worse(whole.abi_source, one.abi_source),
      is_verified: whole.is_verified === one.is_verified ? whole.is_verified : false,
      name: whole.name,
      selectors: [...new Set([...whole.selectors, ...one.selectors])],
      sources: whole.sources,
    }),
    first,
  );
}

function worse(a: FoundAbi["abi_source"], b: FoundAbi["abi_source"]): FoundAbi["abi_source"] {
  return a === "registry" && b === "registry"
    ? "registry"
    : a === "none" && b === "none"
      ? "none"
      : "bytecode";
}

const maxItems = 1000;

/** The items of an ABI as plain JSON, a bounded number of them. */
export function itemsOf({ events, functions, errors }: AbiIndex): AbiItem[] {
  const entries = [functions, events, errors].flatMap((map) => [...map.values()].flat());
  return entries.slice(0, maxItems).map(({ item }) => item);
}
