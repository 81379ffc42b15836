import { type Offload, WorkLimitExceeded } from "../../lib/concurrency/worker-pool.ts";
import type { Read, ReadResult } from "../block.ts";
import type { CodeDiscovery, Discovery, ExaminedContract } from "../family.ts";
import { unpackAccount } from "./accounts/account-state.ts";
import { findTokenAccounts } from "./accounts/followed-accounts.ts";
import { findIdlTask, idlReads } from "./idl/on-chain-idl.ts";
import { deployedProgramsIn } from "./transactions/deployed-programs.ts";
import { findFollowedVaults } from "./vaults/followed-vaults.ts";
import { possibleVaultsIn } from "./vaults/vault-candidates.ts";

/**
 * Finds which monitored accounts are programs, the IDLs that they publish on chain, their vaults, and the token accounts of
 * holders.
 */
export const solanaDiscovery: CodeDiscovery = {
  // An IDL may be large.
  batchSize: 10,
  async discover(contracts, read, offload) {
    const reads = contracts.map(readsOf);
    const results = reads.length > 0 ? await read(reads.flat()) : [];
    if (results.length === 0) return contracts.map(() => undefined);
    const discoveries: Discovery[] = [];
    // One after another: programs of one chain have one turn in the queue of the threads.
    for (const [order, contract] of contracts.entries())
      discoveries.push(await discoveryOf(contract, results.splice(0, reads[order]?.length), offload));
    return discoveries;
  },
  findVaults: findFollowedVaults,
  possibleVaultsIn,
  findTokenAccounts,
  tokenAccountsIn: ({ transactions }) => transactions.flatMap(({ solana }) => solana?.token_accounts ?? []),
  deployedIn: deployedProgramsIn,
  // A program keeps its address and its IDL when its code is replaced.
  upgradeEvents: () => [],
  findUpgrades: () => new Map(),
  resolveBeacons: async (codes) => [...codes],
};

function readsOf({ subject: { address } }: ExaminedContract): Read[] {
  return [{ kind: "account", address, length: 0 }, ...idlReads(address)];
}

async function discoveryOf(
  { subject: { address } }: ExaminedContract,
  [account, ...others]: ReadResult[],
  offload: Offload,
): Promise<Discovery> {
  if (!unpackAccount(account)?.isExecutable) return {};
  return { program: { idl: await publishedIdl(offload, others, address) } };
}

/** An account can hold a megabyte of compressed data. One that takes too long to read counts as none. */
async function publishedIdl(offload: Offload, results: ReadResult[], program: string) {
  try {
    return (await offload(findIdlTask, { results, program })).idl;
  } catch (error) {
    if (error instanceof WorkLimitExceeded) return undefined;
    throw error;
  }
}
