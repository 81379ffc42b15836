import { getAddress, keccak256, toHex } from "viem";
import type { Activity } from "../meters/meter.ts";
import type { WatchedContract } from "./watch-list.ts";

const upgradedTopic = keccak256(toHex("Upgraded(address)"));

/** The contracts that a block gave other code, and the address of that code: EIP-1967's own event, from the proxy itself. */
export function upgradesIn(touched: ReadonlyMap<WatchedContract, Activity>): Map<WatchedContract, string> {
  const upgrades = new Map<WatchedContract, string>();
  for (const [contract, { events }] of touched) {
    for (const { address, topics } of events) {
      const [topic, implementation] = topics;
      if (address !== contract.subject.address || topic !== upgradedTopic || !implementation) continue;
      upgrades.set(contract, getAddress(`0x${implementation.slice(-40)}`));
    }
  }
  return upgrades;
}
