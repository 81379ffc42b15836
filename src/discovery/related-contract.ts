/** The relations of a wallet to a contract, the closest first. */
export const relations = ["deployed", "owned", "approved", "interacted", "token_held"] as const;
export type Relation = (typeof relations)[number];

/** A contract related to a wallet. */
export type RelatedContract = {
  address: string;
  relation: Relation;
  tx_count: number;
  /** Unix seconds. */
  last_at: number | null;
};

/** The result of one search, with sentences on what it does not cover. */
export type SearchResult = { contracts: RelatedContract[]; limitations: string[] };

/** Merges the entries of each contract: closest relation, largest transaction count, latest time. */
export function mergeRelatedContracts(contracts: readonly RelatedContract[]): RelatedContract[] {
  const byAddress = Map.groupBy(contracts, ({ address }) => address);
  return [...byAddress.values()].map((group) => {
    const closest = group.toSorted(
      (a, b) => relations.indexOf(a.relation) - relations.indexOf(b.relation),
    )[0] as RelatedContract;
    const times = group.flatMap(({ last_at }) => (last_at === null ? [] : [last_at]));
    return {
      ...closest,
      tx_count: Math.max(...group.map(({ tx_count }) => tx_count)),
      last_at: times.length > 0 ? Math.max(...times) : null,
    };
  });
}
