import { zeroAddress } from "viem";
import type { Hex, Read, ReadResult } from "../../chains/block.ts";
import { proxySlots } from "../../chains/evm/code/proxy-slots.ts";
import { addressInWord, wordOf } from "../../meters/state-results.ts";

type Family = "erc1967" | "erc1822" | "legacy";
type Part = (typeof proxySlots)[number]["part"];

/** Where a family of proxies keeps a part, by the table that the engine reads by as well. */
const families: Record<Family, readonly (typeof proxySlots)[number][]> = {
  erc1967: proxySlots.slice(0, 3),
  erc1822: proxySlots.slice(3, 4),
  legacy: proxySlots.slice(4, 6),
};

export function slotReads(family: Family, address: string): Read[] {
  return families[family].map(({ slot }) => ({ kind: "storage", address, slot: slot as Hex }));
}

/** The addresses in a family's slots; undefined where nothing is set. Throws an Unreadable. */
export function slotsOf(family: Family, results: readonly ReadResult[]): Partial<Record<Part, string>> {
  const found = families[family].flatMap(({ part }, index) => {
    const address = addressInWord(wordOf(results[index], `The ${part} slot`));
    return address === zeroAddress ? [] : [[part, address]];
  });
  return Object.fromEntries(found);
}
