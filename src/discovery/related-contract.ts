/** How a wallet has to do with a contract, the closest first. */
export const relations = ["deployed", "owned", "approved", "interacted", "token_held"] as const;
export type Relation = (typeof relations)[number];

/** A contract that a wallet has to do with. */
export type RelatedContract = {
  address: string;
  relation: Relation;
  tx_count: number;
  /** Unix seconds. */
  last_at: number | null;
};

/** What one way of looking found, and what it could not see, in sentences. */
export type SearchResult = { contracts: RelatedContract[]; limitations: string[] };

/** One finding for each contract: the closest relation, all transactions, the last time. */
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
