import type { Block } from "../../block.ts";
import type { PossibleVault } from "../../family.ts";
import { isDerivedAddress } from "../accounts/address.ts";
import type { SolanaTransaction, TokenChange } from "../transactions/transaction.ts";

/** A token account that a program was given, and whose owner has no key: the owner may be an address of the program. */
export type VaultCandidate = Pick<TokenChange, "account" | "mint" | "decimals"> & { owner: string };

/** Everyone can give a program accounts that it ignores, so that no transaction may fill the list. */
const maxPerTransaction = 16;

/** Finds the token accounts that a transaction changed and that may be vaults of a program. */
export function vaultCandidatesIn(
  { instructions, token_balances }: SolanaTransaction,
  program: string,
): VaultCandidate[] {
  const given = new Set(
    instructions.filter((instruction) => instruction.program === program).flatMap(({ accounts }) => accounts),
  );
  const candidates = token_balances.filter(({ account }) => given.has(account)).flatMap(toCandidate);
  return candidates.slice(0, maxPerTransaction);
}

/** The accounts of some tokens whose balance a block changed and whose owner has no key. */
export function possibleVaultsIn(
  { transactions }: Block,
  isMeasured: (mint: string) => boolean,
): PossibleVault[] {
  return transactions.flatMap(({ solana }) =>
    (solana?.token_balances ?? [])
      .filter(({ mint, owner }) => isMeasured(mint) && owner !== null && isDerivedAddress(owner))
      .map(({ account, mint }) => ({ account, mint, named: solana?.accounts ?? [] })),
  );
}

function toCandidate({ account, owner, mint, decimals }: TokenChange): VaultCandidate[] {
  return owner !== null && isDerivedAddress(owner) ? [{ account, owner, mint, decimals }] : [];
}
