import type { CodeDiscovery, Discovery } from "../family.ts";
import { unpackAccount } from "./accounts/account-state.ts";
import { findIdl, idlReads } from "./idl/on-chain-idl.ts";

/** Finds which monitored accounts are programs, and the IDLs that they publish on chain where none was uploaded. */
export const solanaIdlDiscovery: CodeDiscovery = {
  // An IDL may be large.
  batchSize: 10,
  async discover(subjects, read) {
    const withoutIdl = subjects.filter(({ idl }) => !idl);
    const reads = withoutIdl.flatMap(({ address }) => [
      { kind: "account" as const, address, length: 0 },
      ...idlReads(address),
    ]);
    const results = reads.length > 0 ? await read(reads) : [];
    return subjects.map((subject): Discovery | undefined => {
      const order = withoutIdl.indexOf(subject);
      if (order === -1) return {};
      if (results.length === 0) return undefined;
      const [account, ...published] = results.slice(3 * order, 3 * order + 3);
      if (!unpackAccount(account)?.isExecutable) return {};
      return { program: { idl: findIdl(published, subject.address).idl } };
    });
  },
  // A program keeps its address and its IDL when its code is replaced.
  upgradeEvents: () => [],
  findUpgrades: () => new Map(),
  resolveBeacons: async (codes) => [...codes],
};
