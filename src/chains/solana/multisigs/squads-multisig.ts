import type { AccountState } from "../accounts/account-state.ts";
import { squadsV3 } from "./squads-v3.ts";
import { squadsV4 } from "./squads-v4.ts";
import type { SquadsMultisig, SquadsVersion } from "./squads-version.ts";

/** The bytes of a multisig account that are read: room for about 300 members. */
export const multisigBytes = 10_000;

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
