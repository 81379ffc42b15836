import type { Read } from "../../block.ts";
import type { ReadState, SearchedTokenAccounts, TokenHolder } from "../../family.ts";
import { unpackAccount } from "./account-state.ts";
import { token2022Program, tokenAccountsOf, tokenProgram } from "./address.ts";
import { keepLargest, type OwnedAccount, unpackOwnedAccounts } from "./token-accounts.ts";

/**
 * Following an account takes as many calls as following a contract. Anyone can create accounts for an owner, so those that hold
 * the most are chosen.
 */
const maxFollowed = 20;

/**
 * Finds the token accounts of holders with one call for each of their tokens: the associated account, whether it exists or not, and
 * those that hold the most. A token that cannot be listed, such as one whose mint was closed, delays no other.
 */
export async function findTokenAccounts(
  holders: readonly TokenHolder[],
  read: ReadState,
): Promise<SearchedTokenAccounts[]> {
  const pairs = holders.flatMap(({ address, tokens }) => tokens.map((mint) => ({ owner: address, mint })));
  const unknown = holders.flatMap((holder) => holder.tokens.filter((mint) => !knownAccount(holder, mint)));
  const mints = [...new Set(unknown)];
  const reads: Read[] = [
    ...pairs.map((pair) => ({ kind: "token_accounts" as const, ...pair })),
    ...mints.map((address) => ({ kind: "account" as const, address, length: 0 })),
  ];
  const results = reads.length > 0 ? await read(reads) : [];
  const listed = results.splice(0, pairs.length).map(unpackOwnedAccounts);
  const programs = new Map(mints.map((mint, order) => [mint, unpackAccount(results[order])?.owner]));
  return holders.map((holder) => {
    const lists = listed.splice(0, holder.tokens.length);
    const searched = holder.tokens.filter((_, order) => lists[order]);
    const owned = lists.flatMap((list) => list ?? []);
    return choose({ ...holder, tokens: searched }, programs, owned);
  });
}

type Programs = ReadonlyMap<string, string | null | undefined>;

function choose(
  holder: TokenHolder,
  programs: Programs,
  owned: readonly OwnedAccount[],
): SearchedTokenAccounts {
  const associated = holder.tokens.flatMap((mint) => {
    const account = knownAccount(holder, mint) ?? associatedAccount(holder.address, mint, programs);
    return account ? [{ account, mint }] : [];
  });
  const isAssociated = new Set(associated.map(({ account }) => account));
  const others = owned.filter(({ account }) => !isAssociated.has(account));
  const largest = keepLargest(others, maxFollowed).map(({ account, mint }) => ({ account, mint }));
  const followed = [...associated, ...largest];
  return { searched: [...holder.tokens], followed, unfollowed: others.length - largest.length };
}

/** The associated account, if it is followed already: the token program of a mint never changes. */
function knownAccount({ address, known }: TokenHolder, mint: string): string | undefined {
  const candidates = tokenAccountsOf(address, mint);
  return known.find(({ account }) => candidates.includes(account))?.account;
}

function associatedAccount(owner: string, mint: string, programs: Programs): string | undefined {
  const [ofTokenProgram, ofToken2022] = tokenAccountsOf(owner, mint);
  const program = programs.get(mint);
  if (program === tokenProgram) return ofTokenProgram;
  return program === token2022Program ? ofToken2022 : undefined;
}
