import type { ReadResult } from "../../block.ts";
import type { TokenAccount } from "../../family.ts";
import { tokenAccountsOf } from "./address.ts";
import { unpackOwnedAccounts } from "./token-accounts.ts";

/**
 * Following an account takes as many calls as following a contract. Anyone can create accounts for an owner, so those that hold
 * the most are chosen.
 */
const maxFollowed = 20;

/** The accounts of an owner that hold one of the tokens, beside the associated ones, which are always followed. */
export function followedAccounts(
  owned: ReadResult | undefined,
  owner: string,
  tokens: readonly string[],
): TokenAccount[] | undefined {
  const associated = new Set(tokens.flatMap((mint) => tokenAccountsOf(owner, mint)));
  return unpackOwnedAccounts(owned)
    ?.filter(({ account, mint }) => tokens.includes(mint) && !associated.has(account))
    .sort((a, b) => (a.amount > b.amount ? -1 : a.amount < b.amount ? 1 : 0))
    .slice(0, maxFollowed)
    .map(({ account, mint }) => ({ account, mint }))
    .sort((a, b) => (a.account < b.account ? -1 : 1));
}
