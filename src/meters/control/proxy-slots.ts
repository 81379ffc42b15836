import { zeroAddress } from "viem";
import type { ReadResult } from "../../chains/block.ts";
import { implementationFunction, proxySlots } from "../../chains/evm/code/proxy-slots.ts";
import { addressInWord, resultOf, wordOf } from "../state-results.ts";
import { type ProxyState, withoutGuess } from "./proxy-state.ts";

/** The addresses that the slots hold, and the one that the beacon names when it was asked. Throws an Unreadable. */
export function seenInSlots(results: readonly ReadResult[], asksBeacon: boolean): ProxyState {
  const seen: ProxyState = { implementation: zeroAddress, admin: zeroAddress, beacon: zeroAddress };
  for (const [index, { part }] of proxySlots.entries()) {
    const address = addressInWord(wordOf(results[index], `The ${part} slot`));
    if (seen[part] === zeroAddress) seen[part] = address;
  }
  if (seen.implementation !== zeroAddress) return seen;
  if (!asksBeacon) return withoutGuess(seen);
  const { $0: named } = resultOf(results[proxySlots.length], implementationFunction);
  return typeof named === "string" ? { ...seen, implementation: named } : seen;
}
