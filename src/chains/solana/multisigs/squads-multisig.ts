import type { AccountState } from "../accounts/account-state.ts";
import { squadsV3 } from "./squads-v3.ts";
import { squadsV4 } from "./squads-v4.ts";

/** The bytes of a multisig account that are read: room for about 300 members. */
export const multisigBytes = 10_000;

/** A multisig of Squads. */
export type SquadsMultisig = {
  /** The approvals that a transaction needs. */
  threshold: number;
  /** The members that may vote; others may only propose or execute. */
  voters: string[];
  timeLockSeconds: number;
  /** Who can change the members without a vote; null if only a vote can. */
  configAuthority: string | null;
};

/** The program of a version of Squads. */
export type SquadsVersion = {
  program: string;
  /** The first bytes of its multisig accounts. */
  discriminator: Buffer;
  /** Reads the data of a multisig account; undefined if it breaks off. */
  read(data: Buffer): SquadsMultisig | undefined;
  /** The first vaults of a multisig: the addresses that hold its funds and authorities. */
  vaults(multisig: string): string[];
};

export const squadsVersions = (): readonly SquadsVersion[] => [squadsV4, squadsV3];

/** The version of Squads of which an account is a multisig; undefined if it is something else. */
export function squadsVersionOf(account: AccountState | undefined): SquadsVersion | undefined {
  return squadsVersions().find(
    ({ program, discriminator }) =>
      account?.owner === program && account.data.subarray(0, 8).equals(discriminator),
  );
}

/** Reads a multisig account; undefined if it is something else, if its data breaks off, or if nobody could approve anything. */
export function squadsMultisigOf(account: AccountState | undefined): SquadsMultisig | undefined {
  const multisig = account && squadsVersionOf(account)?.read(account.data);
  if (!multisig) return undefined;
  const { threshold, voters } = multisig;
  return threshold < 1 || threshold > voters.length ? undefined : multisig;
}
