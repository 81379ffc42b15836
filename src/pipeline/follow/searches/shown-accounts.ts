import type { Block } from "../../../chains/block.ts";
import { familyOf } from "../../../chains/families.ts";
import type { OwnedTokenAccount, TokenAccount } from "../../../chains/family.ts";
import type { EngineState } from "../../watch/engine-state.ts";
import { followedTokensOf } from "../../watch/followed-tokens.ts";
import type { WatchedContract } from "../../watch/watch-list.ts";
import { keyOf } from "./holder.ts";

/** An account that nobody follows yet, of a contract that follows its token. */
export type ShownAccount = { contract: WatchedContract; account: string; mint: string };

/** Anyone can show accounts that they opened for an owner, and each is followed with a call per poll. */
const maxPerSearch = 20;

/**
 * The token accounts of holders that transactions show and no search may find: who moves tokens out of an account or closes it signs
 * for its owner.
 */
export class ShownAccounts {
  private readonly byContract = new Map<string, TokenAccount[]>();
  /** The number of accounts of each token of a contract that were added since its last search. */
  private readonly added = new Map<string, number>();

  /** Finds the accounts in blocks that are not followed, of each token a limited number until its next search. */
  findIn(blocks: readonly Block[], { watchList }: EngineState): ShownAccount[] {
    const { tokenAccountsIn } = familyOf(watchList.chain).code;
    if (!tokenAccountsIn || watchList.holders().length === 0) return [];
    const shown = blocks
      .flatMap((block) => [...tokenAccountsIn(block)])
      .flatMap((one) =>
        [...watchList.at(one.owner)]
          .filter((contract) => lacks(contract, one) && !this.has(contract, one.account))
          .map((contract) => ({ contract, account: one.account, mint: one.mint })),
      );
    const distinct = new Map(shown.map((one) => [`${one.contract.id} ${one.account}`, one])).values();
    return [...Map.groupBy(distinct, ({ contract, mint }) => keyOf(contract, mint))].flatMap(
      ([key, accounts]) => accounts.slice(0, Math.max(0, maxPerSearch - (this.added.get(key) ?? 0))),
    );
  }

  add({ id }: Pick<WatchedContract, "id">, account: TokenAccount): void {
    this.byContract.set(id, [...(this.byContract.get(id) ?? []), account]);
    const key = keyOf({ id }, account.mint);
    this.added.set(key, (this.added.get(key) ?? 0) + 1);
  }

  /** The accounts that are followed, and those that were shown since they were stored. */
  addTo({ id, subject: { tokenAccounts = [] } }: Pick<WatchedContract, "id" | "subject">): TokenAccount[] {
    const isStored = new Set(tokenAccounts.map(({ account }) => account));
    const shown = this.byContract.get(id) ?? [];
    return [...tokenAccounts, ...shown.filter(({ account }) => !isStored.has(account))];
  }

  /** Forgets the accounts of a contract that are not followed any more after a search of some tokens. */
  keep(
    { id }: Pick<WatchedContract, "id">,
    followed: readonly TokenAccount[],
    searched: readonly string[],
  ): void {
    for (const mint of searched) this.added.delete(keyOf({ id }, mint));
    const isFollowed = new Set(followed.map(({ account }) => account));
    const kept = (this.byContract.get(id) ?? []).filter(({ account }) => isFollowed.has(account));
    if (kept.length > 0) this.byContract.set(id, kept);
    else this.byContract.delete(id);
  }

  private has({ id }: WatchedContract, account: string): boolean {
    return this.byContract.get(id)?.some((one) => one.account === account) ?? false;
  }
}

function lacks(contract: WatchedContract, { account, mint, owner }: OwnedTokenAccount): boolean {
  const { subject } = contract;
  return (
    subject.address === owner &&
    subject.address !== account &&
    followedTokensOf(contract).includes(mint) &&
    !subject.tokenAccounts?.some((one) => one.account === account)
  );
}
