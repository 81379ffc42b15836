/** The relations of a wallet to an address, the closest first. */
export const relations = ["deployed", "owned", "approved", "interacted", "token_held"] as const;
export type Relation = (typeof relations)[number];

/** A contract or another wallet related to a wallet. */
export type RelatedAddress = {
  address: string;
  relation: Relation;
  tx_count: number;
  /** Unix seconds. */
  last_at: number | null;
};

/** The result of one search, with sentences on what it does not cover. */
export type SearchResult = { addresses: RelatedAddress[]; limitations: string[] };

/** Merges the entries of each address: closest relation, largest transaction count, latest time. */
export function mergeRelatedAddresses(addresses: readonly RelatedAddress[]): RelatedAddress[] {
  const byAddress = Map.groupBy(addresses, ({ address }) => address);
  return [...byAddress.values()].map((group) => {
    const closest = group.toSorted(
      (a, b) => relations.indexOf(a.relation) - relations.indexOf(b.relation),
    )[0] as RelatedAddress;
    const times = group.flatMap(({ last_at }) => (last_at === null ? [] : [last_at]));
    return {
      ...closest,
      tx_count: Math.max(...group.map(({ tx_count }) => tx_count)),
      last_at: times.length > 0 ? Math.max(...times) : null,
    };
  });
}
