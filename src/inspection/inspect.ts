import type { Hex } from "../chains/block.ts";
import type { ChainClient, PinnedBlock } from "../chains/chain-client.ts";
import type { ExternalServices } from "./abi/external-services.ts";
import { findAbi, joinAbis } from "./abi/find-abi.ts";
import { type Classification, classify } from "./classify/contract-types.ts";
import type { ProfiledFacts } from "./classify/facts.ts";
import { noProbeResults, probeContract } from "./classify/probes.ts";
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
  const classification = classify(facts);
  const { contract_type } = classification;
  const codes = contracts.map(({ code }) => code);
  const input = { address, contract_type, selectors: abi.selectors, codes, probes };
  const profile = await readProfile(client, pinned, input);
  return { pinned, facts: { ...facts, profile }, classification };
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
