import type { Hex } from "../chains/block.ts";
import type { ChainClient, PinnedBlock } from "../chains/chain-client.ts";
import { functionsInCode } from "../inspection/abi/bytecode.ts";
import { type ExternalServices, SourceError } from "../inspection/abi/external-services.ts";
import { joinAbis } from "../inspection/abi/find-abi.ts";
import { classify } from "../inspection/classify/contract-types.ts";
import type { ProfiledFacts } from "../inspection/classify/facts.ts";
import { probeContract } from "../inspection/classify/probes.ts";
import { emptyProfile } from "../inspection/profile/profile.ts";
import { resolveProxy } from "../inspection/proxies/resolve-proxy.ts";
import { suggestTargets } from "../inspection/suggest/suggest-targets.ts";
import type { SuggestedTarget } from "../inspection/suggest/suggested-target.ts";
import type { RelatedAddress, SearchResult } from "./related-address.ts";
import { searchChain } from "./search-chain.ts";
import { searchExplorer } from "./search-explorer.ts";
import { searchItself } from "./search-itself.ts";
import { sortRelated } from "./sort-related.ts";

/** An address related to a wallet, with its classification. */
export type DiscoveredAddress = RelatedAddress & {
  name: string | null;
  contract_type: string;
  category: string;
  suggested_targets: SuggestedTarget[];
};

/** What was found on a chain. `limitations` lists, as sentences, what the search does not cover. */
export type Discovery = { found: DiscoveredAddress[]; limitations: string[] };

/** The maximum number of addresses in a result. */
const maxFound = 200;
/** Classifying an address takes about forty reads. */
const maxDescribed = 100;

/** Finds the contracts and wallets related to a wallet on one chain. Rejects with a ChainError if the chain cannot be read. */
export async function discoverOn(
  client: ChainClient,
  services: ExternalServices,
  wallet: string,
): Promise<Discovery> {
  const [fromExplorer, fromChain] = [
    await searchExplorerIfConfigured(client, services, wallet),
    await searchChain(client, wallet),
  ];
  const pinned = await client.pinLatestBlock();
  const { addresses: related, limitations } = await sortRelated(pinned, [
    ...(await searchItself(pinned, wallet)),
    ...fromExplorer.addresses,
    ...fromChain.addresses,
  ]);
  const discovered: DiscoveredAddress[] = [];
  for (const [index, relatedAddress] of related.slice(0, maxFound).entries()) {
    discovered.push({
      ...relatedAddress,
      ...(index < maxDescribed
        ? await describeAddress(client, services, pinned, relatedAddress.address)
        : unknown),
    });
  }
  const truncation =
    related.length > maxFound
      ? [`Only the first ${maxFound} of ${related.length} contracts and wallets are shown.`]
      : [];
  return {
    found: discovered,
    limitations: [...fromExplorer.limitations, ...fromChain.limitations, ...limitations, ...truncation],
  };
}

/** An explorer covers the whole history. If it fails, that is a limitation, and the chain search remains. */
async function searchExplorerIfConfigured(
  { chain }: ChainClient,
  services: ExternalServices,
  wallet: string,
): Promise<SearchResult> {
  if (!services.etherscanKey) return { addresses: [], limitations: [] };
  try {
    return await searchExplorer(services, chain.chain_id, wallet);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { addresses: [], limitations: [`The explorer could not be searched: ${error.message}`] };
  }
}

const unknown = { name: null, contract_type: "unknown", category: "other", suggested_targets: [] };

async function codesOf(pinned: PinnedBlock, addresses: string[]): Promise<Hex[]> {
  const results = await pinned.read(addresses.map((address) => ({ kind: "code", address })));
  return results.flatMap((result) => (result.ok ? [result.data] : []));
}

/** Classifies an address by its bytecode and probe results. Looking up the source of every contract would take too long. */
async function describeAddress(
  { chain }: ChainClient,
  { offload }: ExternalServices,
  pinned: PinnedBlock,
  address: string,
) {
  const resolved = await resolveProxy(pinned, address);
  const probes = await probeContract(pinned, address);
  const code = await codesOf(pinned, resolved.implementations.slice(0, 1));
  const analyses = await Promise.all(code.map((bytecode) => functionsInCode(offload, bytecode)));
  const selectors = analyses.flatMap(({ functions }) => functions).map(({ selector }) => selector);
  const abi = { ...joinAbis([]), selectors };
  const facts: ProfiledFacts = { chain, address, resolved, abi, probes, profile: emptyProfile };
  const { contract_type, category } = classify(facts);
  const name = probes.text("name") ?? probes.text("description") ?? null;
  return {
    name: name?.slice(0, 100) ?? null,
    contract_type,
    category,
    suggested_targets: suggestTargets(facts, contract_type, []),
  };
}
