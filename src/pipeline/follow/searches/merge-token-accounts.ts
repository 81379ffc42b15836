import type { TokenAccount } from "../../../chains/family.ts";

/** An account that was closed or emptied is followed for another hour, so that no fork removes what it had. */
const goneSeconds = 3_600;
const maxGone = 20;

type Followed = {
  /** The tokens that are measured, and those of them that were searched. The accounts of the others stay as they are. */
  tokens: readonly string[];
  searched: readonly string[];
  known: readonly TokenAccount[];
  /** The accounts that the search chose. */
  chosen: readonly TokenAccount[];
};

/** The height up to which a token was searched before, and the time since which an account is not chosen any more. */
export type EarlierSearch = {
  searchedTo(mint: string): number | undefined;
  goneSince(account: string): number;
};

/** Adds the accounts that a search found to those that are followed, each from the height of the search before. */
export function mergeTokenAccounts(
  { tokens, searched, known, chosen }: Followed,
  { searchedTo, goneSince }: EarlierSearch,
  at: { height: number; time: number },
): TokenAccount[] {
  const byAccount = new Map(known.map((one) => [one.account, one]));
  const isChosen = new Set(chosen.map(({ account }) => account));
  const followed = chosen.map(
    (one) => byAccount.get(one.account) ?? { ...one, since: searchedTo(one.mint), found_height: at.height },
  );
  const unsearched = known.filter(({ mint }) => tokens.includes(mint) && !searched.includes(mint));
  const gone = known
    .filter(({ account, mint }) => tokens.includes(mint) && searched.includes(mint) && !isChosen.has(account))
    .filter(({ account }) => at.time - goneSince(account) < goneSeconds)
    .toSorted((a, b) => (b.since ?? 0) - (a.since ?? 0))
    .slice(0, maxGone);
  return [...followed, ...unsearched, ...gone].toSorted((a, b) => (a.account < b.account ? -1 : 1));
}
