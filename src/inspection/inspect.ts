import type { Hex } from "../chains/block.ts";
import type { ChainClient, PinnedBlock } from "../chains/chain-client.ts";
import { ChainError } from "../chains/reader.ts";
import type { ExternalServices } from "./abi/external-services.ts";
import { findAbi, joinAbis } from "./abi/find-abi.ts";
import { type Classification, classify } from "./classify/contract-types.ts";
import type { ProfiledFacts } from "./classify/facts.ts";
import { noProbeResults, probeContract } from "./classify/probes.ts";
import { topicsInCode } from "./profile/code-topics.ts";
import { emptyProfile, type Profile } from "./profile/profile.ts";
import { readProfile } from "./profile/read-profile.ts";
import { type ResolvedProxy, resolveProxy } from "./proxies/resolve-proxy.ts";

/** The facts of a contract at one block, and its classification. */
export type Inspection = { pinned: PinnedBlock; facts: ProfiledFacts; classification: Classification };

/** The number of facets of a diamond whose ABI is looked up. */
const maxFacets = 8;

/** Collects the facts of a contract and classifies it. Rejects with a ChainError if the chain cannot be read. */
export async function inspect(
  client: ChainClient,
  services: ExternalServices,
  address: string,
  /** The timeout of each external service. */
  timeoutMs: number,
): Promise<Inspection> {
  const { chain } = client;
  const pinned = await client.pinLatestBlock();
  const { resolved, probes, implementations } = await readCode(pinned, address);
  const abis = await Promise.all(
    implementations.map((implementation) => findAbi(services, chain.chain_id, implementation, timeoutMs)),
  );
  const abi = joinAbis(abis);
  const facts = { chain, address, resolved, abi, probes };
  const codes = implementations.map(({ code }) => code);
  // The topics of events are constants in the code, so that they are found without a published source.
  const classification = classify({ ...facts, profile: { ...emptyProfile, topics: topicsInCode(codes) } });
  const { contract_type } = classification;
  const own = { abi: abi.abi, isProxy: resolved.hops.length > 0 };
  const input = { address, contract_type, selectors: abi.selectors, codes, probes, own };
  const profile = await readProfile(client, pinned, input);
  return { pinned, facts: { ...facts, profile }, classification };
}

/**
 * Measures the profile of an inspected contract again: what it holds, who uses it and how often, from which targets and
 * thresholds are suggested. A field that comes back null or empty keeps its stored value, because the node may not have its
 * past now.
 */
export async function refreshProfile(
  client: ChainClient,
  pinned: PinnedBlock,
  { address, contract_type, profile }: { address: string; contract_type: string; profile: Profile },
): Promise<Profile> {
  const { resolved, probes, implementations } = await readCode(pinned, address);
  if (!canProbe(resolved)) return profile;
  const codes = implementations.map(({ code }) => code);
  // Selectors are stored as text.
  const selectors = profile.selectors as Hex[];
  const measured = await readProfile(client, pinned, { address, contract_type, selectors, codes, probes });
  const found = Object.entries(measured).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return { ...profile, ...Object.fromEntries(found) };
}

/** Reads the code behind an address, and what its functions return. */
async function readCode(pinned: PinnedBlock, address: string) {
  const resolved = await resolveProxy(pinned, address);
  const probes = canProbe(resolved) ? await probeContract(pinned, address) : noProbeResults;
  const implementations = await readImplementations(pinned, resolved.implementations.slice(0, maxFacets));
  return { resolved, probes, implementations };
}

/** An address without code returns nothing, and calls to a chain of proxies that has no end run out of gas slowly. */
function canProbe({ code, problem }: ResolvedProxy): boolean {
  return code !== "0x" && problem === null;
}

/** Returns the addresses that have code. A failed read must not make a contract look as if it had none. */
async function readImplementations(
  pinned: PinnedBlock,
  addresses: string[],
): Promise<{ address: string; code: Hex }[]> {
  const results = await pinned.read(addresses.map((address) => ({ kind: "code", address })));
  return addresses.flatMap((address, index) => {
    const result = results[index];
    if (!result?.ok) throw new ChainError(`The code of ${address} could not be read.`);
    return result.data === "0x" ? [] : [{ address, code: result.data }];
  });
}
