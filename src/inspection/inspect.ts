import type { Hex } from "../chains/block.ts";
import type { ChainClient, PinnedBlock } from "../chains/chain-client.ts";
import { findAbi, joinAbis } from "./abi/find-abi.ts";
import type { Services } from "./abi/lookup-services.ts";
import { type Classification, classify } from "./classify/contract-types.ts";
import type { Facts } from "./classify/facts.ts";
import { noAnswers, probe } from "./classify/probes.ts";
import { type Resolved, resolveProxy } from "./proxies/resolve-proxy.ts";

/** A contract as it stands at a block, and what it is. */
export type Inspection = { moment: PinnedBlock; facts: Facts; classification: Classification };

/** A diamond has many facets; so many of them are looked up. */
const maxFacets = 8;

/** Finds out everything about an address. Rejects with a ChainError when the chain cannot be read. */
export async function inspect(
  client: ChainClient,
  services: Services,
  address: string,
  /** For each outside service. */
  timeoutMs: number,
): Promise<Inspection> {
  const { chain } = client;
  const moment = await client.pinLatestBlock();
  const resolved = await resolveProxy(moment, address);
  const answers = isAskable(resolved) ? await probe(moment, address) : noAnswers;
  const places = await codesOf(moment, resolved.implementations.slice(0, maxFacets));
  const abis = await Promise.all(places.map((place) => findAbi(services, chain.chain_id, place, timeoutMs)));
  const facts: Facts = { chain, address, resolved, abi: joinAbis(abis), answers };
  return { moment, facts, classification: classify(facts) };
}

/** What has no code answers nothing, and what goes round in circles takes long to do so. */
function isAskable({ code, problem }: Resolved): boolean {
  return code !== "0x" && problem === null;
}

async function codesOf(moment: PinnedBlock, addresses: string[]): Promise<{ address: string; code: Hex }[]> {
  const results = await moment.read(addresses.map((address) => ({ kind: "code", address })));
  return addresses.flatMap((address, index) => {
    const result = results[index];
    return result?.ok && result.data !== "0x" ? [{ address, code: result.data }] : [];
  });
}
