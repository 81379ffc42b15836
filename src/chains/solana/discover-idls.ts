import { type Offload, WorkLimitExceeded } from "../../lib/concurrency/worker-pool.ts";
import type { ReadResult } from "../block.ts";
import type { CodeDiscovery, Discovery } from "../family.ts";
import { unpackAccount } from "./accounts/account-state.ts";
import { findIdlTask, idlReads } from "./idl/on-chain-idl.ts";

/** Finds which monitored accounts are programs, and the IDLs that they publish on chain. */
export const solanaIdlDiscovery: CodeDiscovery = {
  // An IDL may be large.
  batchSize: 10,
  async discover(subjects, read, offload) {
    const reads = subjects.flatMap(({ address }) => [
      { kind: "account" as const, address, length: 0 },
      ...idlReads(address),
    ]);
    const results = reads.length > 0 ? await read(reads) : [];
    const discoveries: (Discovery | undefined)[] = [];
    // One after another: programs of one chain have one turn in the queue of the threads.
    for (const [order, subject] of subjects.entries()) {
      const [account, ...published] = results.slice(3 * order, 3 * order + 3);
      if (results.length === 0) discoveries.push(undefined);
      else if (!unpackAccount(account)?.isExecutable) discoveries.push({});
      else discoveries.push({ program: { idl: await publishedIdl(offload, published, subject.address) } });
    }
    return discoveries;
  },
  // A program keeps its address and its IDL when its code is replaced.
  upgradeEvents: () => [],
  findUpgrades: () => new Map(),
  resolveBeacons: async (codes) => [...codes],
};

/** An account can hold a megabyte of compressed data. One that takes too long to read counts as none. */
async function publishedIdl(offload: Offload, results: ReadResult[], program: string) {
  try {
    return (await offload(findIdlTask, { results, program })).idl;
  } catch (error) {
    if (error instanceof WorkLimitExceeded) return undefined;
    throw error;
  }
}
