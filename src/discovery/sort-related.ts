import type { PinnedBlock } from "../chains/chain-client.ts";
import {
  mergeRelatedAddresses,
  type RelatedAddress,
  type Relation,
  relations,
  type SearchResult,
} from "./related-address.ts";
import { splitByCode } from "./split-by-code.ts";

/** An exchange or a paymaster sends to thousands of wallets; the ones that it sends to most often are shown. */
const maxWallets = 50;
/** With another relation, an address without code was a contract that was destroyed. */
const walletRelations: readonly Relation[] = ["owned", "approved", "interacted"];

/** Merges what the searches found. Contracts come before wallets, and the closest relation first. */
export async function sortRelated(
  pinned: PinnedBlock,
  related: readonly RelatedAddress[],
): Promise<SearchResult> {
  const sorted = mergeRelatedAddresses(related).sort(
    (a, b) => relations.indexOf(a.relation) - relations.indexOf(b.relation) || b.tx_count - a.tx_count,
  );
  const split = await splitByCode(
    pinned,
    sorted.map(({ address }) => address),
  );
  const [contracts, wallets] = [new Set(split.contracts), new Set(split.wallets)];
  const relatedWallets = sorted.filter(
    ({ address, relation }) => wallets.has(address) && walletRelations.includes(relation),
  );
  return {
    addresses: [
      ...sorted.filter(({ address }) => contracts.has(address)),
      ...relatedWallets.slice(0, maxWallets),
    ],
    limitations:
      relatedWallets.length > maxWallets
        ? [`Only the ${maxWallets} closest of ${relatedWallets.length} wallets are shown.`]
        : [],
  };
}
