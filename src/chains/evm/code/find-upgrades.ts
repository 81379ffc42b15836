import type { Block, Log } from "../../block.ts";
import type { ContractCode, MonitoredContract, MonitoredContracts } from "../../family.ts";
import type { EventFilter } from "../../reading-plan.ts";
import { getAddress } from "../values/address.ts";
import { keccakOfText } from "../values/keccak.ts";

const upgradedTopic = keccakOfText("Upgraded(address)");
const beaconUpgradedTopic = keccakOfText("BeaconUpgraded(address)");

/** The events that `findUpgrades` reads: those of the contract and of its beacon. */
export function upgradeEvents({ subject, code }: MonitoredContract): EventFilter[] {
  return [
    { address: subject.address, topics: [upgradedTopic, beaconUpgradedTopic] },
    ...(code?.beacon ? [{ address: code.beacon, topics: [upgradedTopic] }] : []),
  ];
}

/**
 * Finds the proxies whose code a block changed, by the ERC-1967 events of the proxy or of its beacon. A proxy that changed to
 * another beacon gets a null implementation, because the event does not contain it.
 */
export function findUpgrades<Contract extends MonitoredContract>(
  { logs }: Block,
  monitored: MonitoredContracts<Contract>,
): Map<Contract, ContractCode> {
  const upgrades = new Map<Contract, ContractCode>();
  for (const log of logs) {
    const [topic] = log.topics;
    if (topic !== upgradedTopic && topic !== beaconUpgradedTopic) continue;
    const named = addressIn(log);
    if (!named) continue;
    for (const contract of monitored.at(log.address)) {
      if (contract.subject.address !== log.address) continue;
      const beacon = upgrades.get(contract)?.beacon ?? contract.code?.beacon ?? null;
      upgrades.set(
        contract,
        topic === upgradedTopic ? { implementation: named, beacon } : { implementation: null, beacon: named },
      );
    }
    if (topic === upgradedTopic) {
      for (const contract of monitored.on(log.address)) {
        upgrades.set(contract, { implementation: named, beacon: log.address });
      }
    }
  }
  return upgrades;
}

/** The standard puts the address into a topic; old proxies put it into the data. */
function addressIn({ topics, data }: Log): string | undefined {
  const word = topics[1] ?? data.slice(0, 66);
  return word.length === 66 ? getAddress(`0x${word.slice(-40)}`) : undefined;
}
