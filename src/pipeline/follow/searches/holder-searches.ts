import type { App } from "../../../app.ts";
import type { Block } from "../../../chains/block.ts";
import { familyOf } from "../../../chains/families.ts";
import type { SearchedTokenAccounts } from "../../../chains/family.ts";
import type { ChainReader } from "../../../chains/reader.ts";
import { saveSearchProblem } from "../../../store/inspection/search-problems.ts";
import { addTokenAccounts, saveTokenAccounts } from "../../../store/inspection/token-accounts.ts";
import { DueList } from "../../watch/due-list.ts";
import type { EngineState } from "../../watch/engine-state.ts";
import type { WatchedContract } from "../../watch/watch-list.ts";
import { type BlockPosition, readOrNothing } from "../read-or-nothing.ts";
import { contractsOf, type Holder, isKnown, keyOf, toHolder } from "./holder.ts";
import { mergeTokenAccounts } from "./merge-token-accounts.ts";
import { searchProblemText } from "./search-problem.ts";
import { SearchProgress } from "./search-progress.ts";
import { ShownAccounts } from "./shown-accounts.ts";

/** The minimum time between two searches of a holder: polls that announcements cause search nothing. */
const minIntervalSeconds = 8;
/** The holders of one search, which takes a call for each of their tokens. */
const maxHolders = 100;

/**
 * Searches the token accounts of holders at every poll, beside the blocks: a transaction does not name the holder for whom an
 * account is opened. A new account counts from the search before on, so that transfers into it are late and not lost.
 */
export class HolderSearches {
  private readonly app: App;
  private readonly reader: ChainReader;
  /** The addresses of holders. */
  private readonly due = new DueList();
  private readonly searched = new Map<string, SearchProgress>();
  private readonly shown = new ShownAccounts();
  /** The problem that is stored with a contract, as far as this process knows. */
  private readonly stored = new WeakMap<WatchedContract, string | null>();
  private running: Promise<void> | undefined;

  constructor(app: App, reader: ChainReader) {
    this.app = app;
    this.reader = reader;
  }

  /** Has a holder searched, from now on at every poll, if the tokens of the chain are in accounts. */
  schedule({ subject }: WatchedContract, time: number): void {
    if (!familyOf(subject.chain).code.findTokenAccounts) return;
    if (this.due.timeOf(subject.address) === undefined) this.due.set(subject.address, time);
  }

  /** Searches the holders that are due. Never rejects. */
  async start(engine: EngineState, at: BlockPosition): Promise<void> {
    if (this.running || this.reader.mayReadBlocks?.() === false) return this.running;
    for (const contract of engine.watchList.holders())
      if (!this.searched.has(contract.subject.address)) this.schedule(contract, at.time);
    const due = this.due.removeDue(at.time, maxHolders);
    if (due.length === 0) return;
    this.running = this.search(due, engine, at)
      .catch((error: unknown) => {
        this.app.log.error({ err: error }, "token accounts of holders could not be searched");
      })
      .finally(() => {
        for (const address of due) this.scheduleNext(address, at.time);
        this.running = undefined;
      });
    return this.running;
  }

  /**
   * Has the accounts followed that blocks show: one that was opened, filled and closed between two searches is in neither. It counts
   * from the last search on that was before the newest one, which may have come after it was closed.
   */
  async follow(engine: EngineState, blocks: readonly Block[]): Promise<void> {
    const found_height = blocks.at(-1)?.height;
    for (const { contract, account, mint } of this.shown.findIn(blocks, engine)) {
      const progress = this.searched.get(contract.subject.address);
      const since = progress?.searchedBefore(keyOf(contract, mint));
      if (since === undefined) continue;
      const followed = { account, mint, since, found_height };
      await addTokenAccounts(this.app.db, contract, [followed]);
      this.shown.add(contract, followed);
    }
  }

  /** Sets the addresses that the reader watches, with the token accounts that searches found. */
  watch(engine: EngineState): void {
    const { watchList } = engine;
    this.reader.watch?.(watchList.transactionAddresses(), watchList.resumingAddresses(), {
      found: watchList.foundAddresses(),
      searchedTo: this.searchedTo(engine),
      calls: watchList.holderTokens(),
    });
  }

  /** The height up to which every holder was searched; undefined without holders. */
  private searchedTo({ watchList }: EngineState): number | undefined {
    const isUnsearched = watchList.holders().some(({ subject }) => !this.searched.has(subject.address));
    if (isUnsearched) return 0;
    const heights = [...this.searched.values()].flatMap(({ lowest }) => lowest ?? []);
    return heights.length > 0 ? Math.min(...heights) : undefined;
  }

  private async search(addresses: readonly string[], engine: EngineState, at: BlockPosition): Promise<void> {
    const holders = addresses.flatMap((address) => this.begin(address, engine, at.height));
    const examined = holders.map((holder) => ({
      address: holder.subject.address,
      tokens: this.dueTokens(holder, at.time),
      known: this.shown.addTo(holder),
    }));
    const { findTokenAccounts } = familyOf(engine.watchList.chain).code;
    const results = await findTokenAccounts?.(examined, readOrNothing(this.reader, at)).catch((error) => {
      this.app.log.error({ err: error }, "token accounts of holders could not be searched");
      return [];
    });
    for (const [order, holder] of holders.entries())
      await this.apply(holder, examined[order]?.tokens ?? [], results?.[order], at);
  }

  /** The tokens of a holder to search now: one whose searches fail is searched more rarely. */
  private dueTokens(holder: Holder, time: number): string[] {
    const progress = this.searched.get(holder.subject.address);
    return holder.tokens.filter((mint) => progress?.isDue(keyOf(holder, mint), time));
  }

  /** Forgets tokens that are not followed any more. The accounts of a suspended contract stay those that it catches up with. */
  private begin(address: string, engine: EngineState, height: number): Holder[] {
    const contracts = contractsOf(engine, address);
    const holders = contracts.filter(({ suspended }) => suspended.size === 0).map(toHolder);
    if (contracts.length === 0) {
      this.searched.delete(address);
      return [];
    }
    const progress = this.searched.get(address) ?? new SearchProgress();
    this.searched.set(address, progress);
    // An account that is found after a restart counts as far back as blocks can be compared.
    const tokens = holders.flatMap((holder) =>
      holder.tokens.map((mint) => ({
        key: keyOf(holder, mint),
        from: isKnown(holder, mint) ? 0 : height,
      })),
    );
    const suspended = contracts.filter((contract) => contract.suspended.size > 0);
    progress.setTokens(tokens, (key) => suspended.some((contract) => key.startsWith(keyOf(contract, ""))));
    return holders;
  }

  /** Stores what a search of some tokens of a holder found, and what is not followed. */
  private async apply(
    holder: Holder,
    examined: readonly string[],
    found: SearchedTokenAccounts | undefined,
    at: BlockPosition,
  ): Promise<void> {
    const progress = this.searched.get(holder.subject.address);
    if (!progress) return;
    const failed = examined.filter((mint) => !found?.searched.includes(mint));
    for (const mint of failed) progress.fail(keyOf(holder, mint), at.time, this.pollSeconds());
    if (found) await this.applyFound(holder, found, progress, at);
    await this.saveProblem(holder, found?.unfollowed ?? 0, progress, at.time);
  }

  private async saveProblem(
    holder: Holder,
    unfollowed: number,
    progress: SearchProgress,
    time: number,
  ): Promise<void> {
    const { tokens } = holder;
    const failing = tokens.flatMap((mint) => {
      const since = progress.failingSince(keyOf(holder, mint), time);
      return since === undefined ? [] : { mint, since };
    });
    // A failure that is not reported yet may have been reported before a restart.
    if (failing.length === 0 && tokens.some((mint) => progress.isFailing(keyOf(holder, mint)))) return;
    const failingSince = failing.length > 0 ? Math.min(...failing.map(({ since }) => since)) : undefined;
    const failingTokens = failing.length < tokens.length ? failing.map(({ mint }) => mint) : undefined;
    const problem = searchProblemText({ failingSince, failingTokens, unfollowed });
    if (this.stored.get(holder.contract) === problem) return;
    const failedAt = failingSince === undefined ? null : new Date(failingSince * 1000);
    await saveSearchProblem(this.app.db, holder, { problem, failing_since: failedAt });
    this.stored.set(holder.contract, problem);
  }

  private async applyFound(
    holder: Holder,
    { followed, searched }: SearchedTokenAccounts,
    progress: SearchProgress,
    at: BlockPosition,
  ): Promise<void> {
    const { subject, tokens } = holder;
    const { goneSince } = progress;
    for (const { account } of followed) goneSince.delete(keyOf(holder, account));
    const accounts = mergeTokenAccounts(
      { tokens, searched, known: this.shown.addTo(holder), chosen: followed },
      {
        searchedTo: (mint) => progress.searchedTo(keyOf(holder, mint)),
        goneSince(account) {
          const key = keyOf(holder, account);
          const since = goneSince.get(key) ?? at.time;
          goneSince.set(key, since);
          return since;
        },
      },
      at,
    );
    const isFollowed = new Set(accounts.map(({ account }) => keyOf(holder, account)));
    for (const key of goneSince.keys())
      if (key.startsWith(keyOf(holder, "")) && !isFollowed.has(key)) goneSince.delete(key);
    if (JSON.stringify(accounts) !== JSON.stringify(subject.tokenAccounts ?? []))
      await saveTokenAccounts(this.app.db, holder, accounts);
    this.shown.keep(holder, accounts, searched);
    for (const mint of searched) progress.succeed(keyOf(holder, mint), at.height);
  }

  private scheduleNext(address: string, time: number): void {
    const progress = this.searched.get(address);
    if (!progress) return;
    this.due.set(address, progress.nextAt(time, this.pollSeconds()));
  }

  private pollSeconds(): number {
    return Math.max(minIntervalSeconds, (this.reader.pace?.().pollSeconds ?? 0) - 2);
  }
}
