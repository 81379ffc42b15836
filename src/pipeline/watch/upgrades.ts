import { getAddress, keccak256, toHex } from "viem";
import type { Block, Log } from "../../chains/block.ts";
import type { Code } from "../../store/engine/contract-code.ts";
import type { WatchedContract, WatchList } from "./watch-list.ts";

const upgradedTopic = keccak256(toHex("Upgraded(address)"));
const beaconUpgradedTopic = keccak256(toHex("BeaconUpgraded(address)"));

/**
 * The contracts that a block gave other code, by EIP-1967's own events from the proxy itself or from its beacon. A proxy
 * that went to another beacon has the implementation that this one names, which the event does not say.
 */
export function findUpgrades({ logs }: Block, watchList: WatchList): Map<WatchedContract, Code> {
  const upgrades = new Map<WatchedContract, Code>();
  for (const log of logs) {
    const [topic] = log.topics;
    if (topic !== upgradedTopic && topic !== beaconUpgradedTopic) continue;
    const named = addressIn(log);
    if (!named) continue;
    for (const contract of watchList.at(log.address)) {
      if (contract.subject.address !== log.address) continue;
      const beacon = upgrades.get(contract)?.beacon ?? contract.code?.beacon ?? null;
      upgrades.set(
        contract,
        topic === upgradedTopic ? { implementation: named, beacon } : { implementation: null, beacon: named },
      );
    }
    if (topic === upgradedTopic) {
      for (const contract of watchList.on(log.address)) {
        upgrades.set(contract, { implementation: named, beacon: log.address });
      }
    }
  }
  return upgrades;
}

/** Old proxies have the address in the data, where the standard has it in a topic. */
function addressIn({ topics, data }: Log): string | undefined {
  const word = topics[1] ?? data.slice(0, 66);
  return word.length === 66 ? getAddress(`0x${word.slice(-40)}`) : undefined;
}
