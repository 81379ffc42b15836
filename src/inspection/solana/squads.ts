import type { AccountState } from "../../chains/solana/accounts/account-state.ts";
import { addressOfBytes, bytesOfAddress, deriveAddress } from "../../chains/solana/accounts/address.ts";
import { discriminatorOf } from "../../chains/solana/idl/discriminator.ts";

export const squadsProgram = "SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf";

/** The bytes of a multisig account that are read: room for about 300 members. */
export const multisigBytes = 10_000;

/** A multisig of Squads v4. */
export type SquadsMultisig = {
  /** The approvals that a transaction needs. */
  threshold: number;
  /** The members that may vote; others may only propose or execute. */
  voters: string[];
  timeLockSeconds: number;
  /** Who can change the members without a vote; null if only a vote can. */
  configAuthority: string | null;
};

const rentCollectorOffset = 94;
const memberBytes = 33;
const mayVote = 2;
const maxVaults = 16;

/** True if the first bytes of an account are those of a multisig. */
export function isSquadsMultisig(account: AccountState | undefined): account is AccountState {
  return account?.owner === squadsProgram && account.data.subarray(0, 8).equals(multisigDiscriminator);
}

/** Reads a multisig account; undefined if it is something else, or if its data breaks off. */
export function squadsMultisigOf(account: AccountState | undefined): SquadsMultisig | undefined {
  if (!isSquadsMultisig(account) || account.data.length <= rentCollectorOffset) return undefined;
  const { data } = account;
  const membersAt = rentCollectorOffset + (data[rentCollectorOffset] === 1 ? 33 : 1) + 1;
  if (data.length < membersAt + 4) return undefined;
  const count = data.readUInt32LE(membersAt);
  const members = data.subarray(membersAt + 4, membersAt + 4 + count * memberBytes);
  const threshold = data.readUInt16LE(72);
  if (members.length < count * memberBytes) return undefined;
  const voters = Array.from({ length: count }, (_, index) =>
    members.subarray(index * memberBytes, (index + 1) * memberBytes),
  ).flatMap((one) => ((one[32] as number) & mayVote ? [addressOfBytes(one.subarray(0, 32))] : []));
  if (threshold < 1 || threshold > voters.length) return undefined;
  const configAuthority = data.subarray(40, 72);
  return {
    threshold,
    voters,
    timeLockSeconds: data.readUInt32LE(74),
    configAuthority: configAuthority.every((byte) => byte === 0) ? null : addressOfBytes(configAuthority),
  };
}

const multisigDiscriminator = discriminatorOf("account", "Multisig");

/** True if an address is one of the first vaults of a multisig: the addresses that hold its funds and authorities. */
export function isVaultOf(multisig: string, address: string): boolean {
  const seeds = [Buffer.from("multisig"), bytesOfAddress(multisig), Buffer.from("vault")];
  return Array.from({ length: maxVaults }, (_, index) => index).some(
    (index) => deriveAddress(squadsProgram, [...seeds, Buffer.of(index)]) === address,
  );
}
