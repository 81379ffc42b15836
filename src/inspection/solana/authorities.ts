import type { PinnedBlock } from "../../chains/chain-client.ts";
import { type AccountState, unpackAccount } from "../../chains/solana/accounts/account-state.ts";
import {
  addressOfBytes,
  isDerivedAddress,
  token2022Program,
  tokenProgram,
} from "../../chains/solana/accounts/address.ts";
import {
  multisigBytes,
  squadsMultisigOf,
  squadsVersionOf,
  squadsVersions,
} from "../../chains/solana/multisigs/squads-multisig.ts";
import type { SquadsMultisig, SquadsVersion } from "../../chains/solana/multisigs/squads-version.ts";
import type { Controller } from "../control/controller.ts";

/** The account behind an authority, and what the rules of a multisig add to it, as a sentence. */
export type Authority = { controller: Controller; note?: string };

/** A multisig account of the token programs: the number of approvals and of signers, and up to eleven signers. */
const tokenMultisigBytes = 355;
const maxOwners = 100;
/** The accounts of one authority that are searched for its multisig. */
const maxCandidates = 40;

/** Identifies authorities, each once. What cannot be read counts as an account of another program. */
export async function inspectAuthorities(
  pinned: PinnedBlock,
  addresses: readonly string[],
): Promise<Map<string, Authority>> {
  const distinct = [...new Set(addresses)];
  const accounts = await pinned.read(
    distinct.map((address) => ({ kind: "account", address, length: tokenMultisigBytes })),
  );
  const authorities = await Promise.all(
    distinct.map(
      async (address, index): Promise<[string, Authority]> => [
        address,
        await identify(pinned, address, unpackAccount(accounts[index])),
      ],
    ),
  );
  return new Map(authorities);
}

async function identify(
  pinned: PinnedBlock,
  address: string,
  account: AccountState | undefined,
): Promise<Authority> {
  const own = tokenMultisigOf(account);
  if (own) return { controller: { kind: "safe", address, ...own } };
  const multisig = squadsVersionOf(account) ? address : await findMultisig(pinned, address);
  const squads = multisig && (await readMultisig(pinned, multisig));
  if (squads) return ofSquads(address, squads);
  return {
    controller: isDerivedAddress(address)
      ? { kind: "contract", address, owner: null }
      : { kind: "eoa", address },
  };
}

function tokenMultisigOf(
  account: AccountState | undefined,
): { threshold: number; owners: string[] } | undefined {
  if (account?.owner !== tokenProgram && account?.owner !== token2022Program) return undefined;
  const { data } = account;
  const [threshold = 0, signers = 0] = data;
  if (data.length !== tokenMultisigBytes || data[2] !== 1) return undefined;
  if (threshold < 1 || signers > 11 || threshold > signers) return undefined;
  const owners = Array.from({ length: signers }, (_, index) =>
    addressOfBytes(data.subarray(3 + 32 * index, 35 + 32 * index)),
  );
  return { threshold, owners };
}

/** A vault does not name its multisig. Transactions that the vault signed do, because the multisig executes them. */
async function findMultisig(pinned: PinnedBlock, vault: string): Promise<string | undefined> {
  if (!isDerivedAddress(vault)) return undefined;
  for (const version of squadsVersions()) {
    const found = await findMultisigOf(version, pinned, vault);
    if (found) return found;
  }
  return undefined;
}

async function findMultisigOf(
  { program, vaults }: SquadsVersion,
  pinned: PinnedBlock,
  vault: string,
): Promise<string | undefined> {
  const [called] = await pinned.read([{ kind: "called_accounts", address: vault, program }]);
  const bytes = Buffer.from(called?.ok ? called.data.slice(2) : "", "hex");
  const candidates = Array.from({ length: Math.min(maxCandidates, bytes.length / 32) }, (_, index) =>
    addressOfBytes(bytes.subarray(32 * index, 32 * index + 32)),
  );
  const results = await pinned.read(candidates.map((address) => ({ kind: "account", address, length: 8 })));
  return candidates.find(
    (candidate, index) =>
      squadsVersionOf(unpackAccount(results[index]))?.program === program &&
      vaults(candidate).includes(vault),
  );
}

async function readMultisig(pinned: PinnedBlock, address: string): Promise<SquadsMultisig | undefined> {
  const [result] = await pinned.read([{ kind: "account", address, length: multisigBytes }]);
  return squadsMultisigOf(unpackAccount(result));
}

function ofSquads(
  address: string,
  { threshold, voters, timeLockSeconds, configAuthority }: SquadsMultisig,
): Authority {
  const notes = [
    ...(timeLockSeconds > 0 ? [`Approved transactions wait for ${timeLockSeconds} seconds.`] : []),
    ...(configAuthority ? [`${configAuthority} can change the members without a vote.`] : []),
  ];
  const controller = { kind: "safe" as const, address, threshold, owners: voters.slice(0, maxOwners) };
  return { controller, ...(notes.length > 0 && { note: notes.join(" ") }) };
}
