import type { Page } from "./list-backwards.ts";

/** A transaction of a watched address, as nodes list it. */
export type ListedSignature = {
  signature: string;
  slot: number;
  hasFailed: boolean;
  address: string;
  /** The position in its slot, if the node reports it. */
  index: number | null;
  /** The position in its slot among the transactions of the same address. */
  rank: number;
};

/** Converts a page of complete slots, oldest first. */
export function toListedSignatures(oldestFirst: Page, address: string): ListedSignature[] {
  let rank = 0;
  return oldestFirst.map(({ signature, slot, err, transactionIndex }, index) => {
    rank = oldestFirst[index - 1]?.slot === slot ? rank + 1 : 0;
    const hasFailed = err !== null && err !== undefined;
    return { signature, slot, hasFailed, address, index: transactionIndex ?? null, rank };
  });
}

/** Orders by slot, then by index; without an index, by an order that is stable between refreshes. */
export function inChainOrder(a: ListedSignature, b: ListedSignature): number {
  if (a.slot !== b.slot) return a.slot - b.slot;
  if (a.index !== null && b.index !== null) return a.index - b.index;
  return a.rank - b.rank || (a.signature < b.signature ? -1 : 1);
}
