import type { AccountState } from "../accounts/account-state.ts";
import { token2022Program, tokenProgram } from "../accounts/address.ts";
import type { PossibleDerivers } from "./possible-derivers.ts";
import type { VaultCandidate } from "./vault-candidates.ts";

type Evidence = {
  program: string;
  derivers: PossibleDerivers;
  /** The account at the address of an owner; undefined if it could not be read. */
  accountAt(owner: string): AccountState | undefined;
};

/**
 * Keeps the candidates whose owner belongs to the program: the owner signed, and only this program can have derived it; or it was
 * not seen to sign for another program, and the account at its address is one of the program's own. A router is given the
 * vaults of all the pools that it calls, so that being given a token account proves nothing.
 */
export function keepVaultsOf(evidence: Evidence, candidates: readonly VaultCandidate[]): VaultCandidate[] {
  return candidates.filter((candidate) => isVault(evidence, candidate));
}

function isVault({ program, derivers, accountAt }: Evidence, { account, owner }: VaultCandidate): boolean {
  const possible = derivers.get(owner);
  if (possible && !possible.has(program)) return false;
  const state = accountAt(owner);
  if (!state) return false;
  // A multisig of a token program signs with the keys of its members. A token account that owns itself does not.
  const isOfTokenProgram = state.owner === tokenProgram || state.owner === token2022Program;
  if (isOfTokenProgram && owner !== account) return false;
  return possible?.size === 1 || state.owner === program;
}
