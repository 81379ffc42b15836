import type { Hex, Read, ReadResult } from "../../chains/block.ts";
import { proxySlots } from "../../chains/evm/code/proxy-slots.ts";
import { zeroAddress } from "../../chains/evm/values/address.ts";
import { addressInWord, wordOf } from "../../meters/state-results.ts";

type Family = "erc1967" | "erc1822" | "legacy";
type Part = (typeof proxySlots)[number]["part"];

/** The slots of each family of proxies, from the table that the meters use too. */
const families: Record<Family, readonly (typeof proxySlots)[number][]> = {
  erc1967: proxySlots.slice(0, 3),
  erc1822: proxySlots.slice(3, 4),
  legacy: proxySlots.slice(4, 6),
};

export function slotReads(family: Family, address: string): Read[] {
  return families[family].map(({ slot }) => ({ kind: "storage", address, slot: slot as Hex }));
}

/** Returns the addresses in the slots of a family, without empty slots. Throws UnreadableState. */
export function slotsOf(family: Family, results: readonly ReadResult[]): Partial<Record<Part, string>> {
  const addresses = families[family].flatMap(({ part }, index) => {
    const address = addressInWord(wordOf(results[index], `The ${part} slot`));
    return address === zeroAddress ? [] : [[part, address]];
  });
  return Object.fromEntries(addresses);
}
