import type { CodeDiscovery, ContractCode, Discovery, ReadState } from "../../family.ts";
import { findUpgrades, upgradeEvents } from "./find-upgrades.ts";
import { beaconRead, codeInSlots, implementationOfBeacon, slotReads } from "./proxy-code.ts";

/** Finds the code behind proxies, in their storage slots and at their beacons. */
export const evmCodeDiscovery: CodeDiscovery = {
  // Bounds the first step after a start.
  batchSize: 50,
  async discover(contracts, read) {
    const reads = contracts.map(({ subject }) => slotReads(subject.address));
    const results = reads.length > 0 ? await read(reads.flat()) : [];
    const codes = reads.map((readsOfContract, index) =>
      codeInSlots(results.slice(index * readsOfContract.length, (index + 1) * readsOfContract.length)),
    );
    const resolved = await resolveBeacons(
      codes.flatMap((code) => code ?? []),
      read,
    );
    return codes.map((code): Discovery | undefined => {
      const complete = code && resolved.shift();
      return complete && { code: complete };
    });
  },
  upgradeEvents,
  findUpgrades,
  resolveBeacons,
};

async function resolveBeacons(codes: readonly ContractCode[], read: ReadState): Promise<ContractCode[]> {
  const beacons = codes.flatMap(({ implementation, beacon }) => (!implementation && beacon ? [beacon] : []));
  const results = beacons.length > 0 ? await read(beacons.map(beaconRead)) : [];
  let next = 0;
  return codes.map((code) => {
    if (code.implementation || !code.beacon) return code;
    return { ...code, implementation: implementationOfBeacon(results[next++]) ?? null };
  });
}
