import { zeroAddress } from "viem";
import type { ReadResult } from "../../chains/block.ts";
import { implementationFunction, proxySlots } from "../../chains/evm/code/proxy-slots.ts";
import { addressInWord, resultOf, wordOf } from "../state-results.ts";
import { omitUnknownImplementation, type ProxyState } from "./proxy-state.ts";

/** Returns the addresses in the proxy slots and the implementation of the beacon, if it was read. Throws UnreadableState. */
export function proxyStateFromSlots(results: readonly ReadResult[], hasBeaconResult: boolean): ProxyState {
  const observed: ProxyState = { implementation: zeroAddress, admin: zeroAddress, beacon: zeroAddress };
  for (const [index, { part }] of proxySlots.entries()) {
    const address = addressInWord(wordOf(results[index], `The ${part} slot`));
    if (observed[part] === zeroAddress) observed[part] = address;
  }
  if (observed.implementation !== zeroAddress) return observed;
  if (!hasBeaconResult) return omitUnknownImplementation(observed);
  const { $0: named } = resultOf(results[proxySlots.length], implementationFunction);
  return typeof named === "string" ? { ...observed, implementation: named } : observed;
}
