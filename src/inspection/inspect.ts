import type { Hex } from "../chains/block.ts";
import type { ChainClient, PinnedBlock } from "../chains/chain-client.ts";
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
  const resolved = await resolveProxy(pinned, address);
  const probes = canProbe(resolved) ? await probeContract(pinned, address) : noProbeResults;
  const contracts = await codesOf(pinned, resolved.implementations.slice(0, maxFacets));
  const abis = await Promise.all(
    contracts.map((contract) => findAbi(services, chain.chain_id, contract, timeoutMs)),
  );
  const abi = joinAbis(abis);
  const facts = { chain, address, resolved, abi, probes };
  const codes = contracts.map(({ code }) => code);
  // The code shows events, also if its source is not published.
  const classification = classify({ ...facts, profile: { ...emptyProfile, topics: topicsInCode(codes) } });
  const { contract_type } = classification;
  const kinds = resolved.hops.map(({ kind }) => kind);
  const own = { abi: abi.abi, isProxy: kinds.length > 0 };
  const input = { address, contract_type, selectors: abi.selectors, codes, probes, own };
  const profile = await readProfile(client, pinned, input);
  return { pinned, facts: { ...facts, profile }, classification };
}

/** Learns again what thresholds follow, of a contract that was inspected before. What cannot be learned now is kept. */
export async function refreshProfile(
  client: ChainClient,
  pinned: PinnedBlock,
  { address, contract_type, profile }: { address: string; contract_type: string; profile: Profile },
): Promise<Profile> {
  const resolved = await resolveProxy(pinned, address);
  if (!canProbe(resolved)) return profile;
  const probes = await probeContract(pinned, address);
  const contracts = await codesOf(pinned, resolved.implementations.slice(0, maxFacets));
  const codes = contracts.map(({ code }) => code);
  const selectors = profile.selectors as Hex[];
  const found = await readProfile(client, pinned, { address, contract_type, selectors, codes, probes });
  const known = Object.entries(found).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return { ...profile, ...Object.fromEntries(known) };
}

/** An address without code returns nothing, and calls to a circular proxy run out of gas slowly. */
function canProbe({ code, problem }: ResolvedProxy): boolean {
  return code !== "0x" && problem === null;
}

async function codesOf(pinned: PinnedBlock, addresses: string[]): Promise<{ address: string; code: Hex }[]> {
  const results = await pinned.read(addresses.map((address) => ({ kind: "code", address })));
  return addresses.flatMap((address, index) => {
    const result = results[index];
    return result?.ok && result.data !== "0x" ? [{ address, code: result.data }] : [];
  });
}
