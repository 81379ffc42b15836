import type { Hex } from "../chains/block.ts";
import type { ChainClient, PinnedBlock } from "../chains/chain-client.ts";
import type { ExternalServices } from "./abi/external-services.ts";
import { findAbi, joinAbis } from "./abi/find-abi.ts";
import { type Classification, classify } from "./classify/contract-types.ts";
import type { Facts } from "./classify/facts.ts";
import { noProbeResults, probeContract } from "./classify/probes.ts";
import { type ResolvedProxy, resolveProxy } from "./proxies/resolve-proxy.ts";

/** A contract as it stands at a block, and what it is. */
export type Inspection = { pinned: PinnedBlock; facts: Facts; classification: Classification };

/** A diamond has many facets; so many of them are looked up. */
const maxFacets = 8;

/** Finds out everything about an address. Rejects with a ChainError when the chain cannot be read. */
export async function inspect(
  client: ChainClient,
  services: ExternalServices,
  address: string,
  /** For each outside service. */
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
  const facts: Facts = { chain, address, resolved, abi: joinAbis(abis), probes };
  return { pinned, facts, classification: classify(facts) };
}

/** What has no code answers nothing, and what goes round in circles takes long to do so. */
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
