import type { Page } from "./list-backwards.ts";

/** A transaction that touches a watched address, as the nodes list it. */
export type ListedSignature = {
  signature: string;
  slot: number;
  hasFailed: boolean;
  address: string;
  /** In its slot, where the node says so. */
  index: number | null;
  /** In its slot among those of the same address. */
  rank: number;
};

/** What a node listed of an address, oldest first. Slots have to be whole. */
export function toListedSignature(oldestFirst: Page, address: string): ListedSignature[] {
  let rank = 0;
  return oldestFirst.map(({ signature, slot, err, transactionIndex }, at) => {
    rank = oldestFirst[at - 1]?.slot === slot ? rank + 1 : 0;
    const hasFailed = err !== null && err !== undefined;
    return { signature, slot, hasFailed, address, index: transactionIndex ?? null, rank };
  });
}

/** By slot, and in it by what the node says; where it does not, by what each address shows, the same at every look. */
export function inChainOrder(a: ListedSignature, b: ListedSignature): number {
  if (a.slot !== b.slot) return a.slot - b.slot;
  if (a.index !== null && b.index !== null) return a.index - b.index;
  return a.rank - b.rank || (a.signature < b.signature ? -1 : 1);
}
