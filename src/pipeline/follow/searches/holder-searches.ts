import type { App } from "../../../app.ts";
import { familyOf } from "../../../chains/families.ts";
import type { TokenAccount } from "../../../chains/family.ts";
import type { ChainReader } from "../../../chains/reader.ts";
import { saveTokenAccounts } from "../../../store/inspection/token-accounts.ts";
import { DueList } from "../../watch/due-list.ts";
import type { EngineState } from "../../watch/engine-state.ts";
import { followedTokensOf } from "../../watch/followed-tokens.ts";
import type { WatchedContract } from "../../watch/watch-list.ts";
import { type BlockPosition, readOrNothing } from "../read-or-nothing.ts";
import { mergeTokenAccounts } from "./merge-token-accounts.ts";

/** The least time between two searches of a holder: polls that announcements cause search nothing. */
const minIntervalSeconds = 8;
const maxRetrySeconds = 600;
/** The holders of one search, which takes a call for each of their tokens. */
const maxHolders = 100;

/** What is known of a holder. The keys are those of `keyOf`. */
type Searched = {
  /** The height up to which each token was searched. */
  to: Map<string, number>;
  /** The time since which an account is not chosen any more. */
  goneSince: Map<string, number>;
  failures: number;
};

/**
 * Searches the token accounts of holders at every poll, beside the blocks: a transaction does not name the holder for whom an
 * account is opened. A new account counts from the search before on, so that transfers into it are late and not lost.
 */
export class HolderSearches {
  private readonly app: App;
  private readonly reader: ChainReader;
  /** The addresses of holders. */
  private readonly due = new DueList();
  private readonly searched = new Map<string, Searched>();
  private running: Promise<void> | undefined;

  constructor(app: App, reader: ChainReader) {
    this.app = app;
    this.reader = reader;
  }

  /** Has a holder searched, from now on at every poll. */
  schedule({ subject }: WatchedContract, time: number): void {
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
    const heights = [...this.searched.values()].flatMap(({ to }) => [...to.values()]);
    return heights.length > 0 ? Math.min(...heights) : undefined;
  }

  private async search(addresses: readonly string[], engine: EngineState, at: BlockPosition): Promise<void> {
    const holders = addresses.flatMap((address) => this.begin(address, engine, at.height));
    const examined = holders.map(({ subject, tokens }) => ({
      address: subject.address,
      tokens,
      known: subject.tokenAccounts ?? [],
    }));
    const { findTokenAccounts } = familyOf(engine.watchList.chain).code;
    const found = await findTokenAccounts?.(examined, readOrNothing(this.reader, at));
    for (const [order, holder] of holders.entries()) {
      const chosen = found?.[order];
      if (chosen) await this.apply(holder, chosen, at);
    }
  }

  /** Counts an attempt, which `apply` resets, and forgets tokens that are not followed any more. */
  private begin(address: string, engine: EngineState, height: number): Holder[] {
    const before = this.searched.get(address);
    const holders = contractsOf(engine, address).map(toHolder);
    const pairs = holders.flatMap((holder) => holder.tokens.map((mint) => ({ holder, mint })));
    const to = pairs.map(({ holder, mint }): [string, number] => {
      const key = keyOf(holder, mint);
      // An account that is found after a restart counts as far back as blocks can be compared.
      return [key, before?.to.get(key) ?? (isKnown(holder, mint) ? 0 : height)];
    });
    if (holders.length === 0) this.searched.delete(address);
    else
      this.searched.set(address, {
        to: new Map(to),
        goneSince: before?.goneSince ?? new Map(),
        failures: pairs.length > 0 ? (before?.failures ?? 0) + 1 : 0,
      });
    return holders;
  }

  private async apply(holder: Holder, chosen: readonly TokenAccount[], at: BlockPosition): Promise<void> {
    const { subject, tokens } = holder;
    const searched = this.searched.get(subject.address);
    if (!searched) return;
    const { to, goneSince } = searched;
    for (const { account } of chosen) goneSince.delete(keyOf(holder, account));
    const accounts = mergeTokenAccounts(
      { tokens, known: subject.tokenAccounts ?? [], chosen },
      {
        searchedTo: (mint) => to.get(keyOf(holder, mint)),
        goneSince(account) {
          const key = keyOf(holder, account);
          const since = goneSince.get(key) ?? at.time;
          goneSince.set(key, since);
          return since;
        },
      },
      at.time,
    );
    const followed = new Set(accounts.map(({ account }) => keyOf(holder, account)));
    for (const key of goneSince.keys())
      if (key.startsWith(keyOf(holder, "")) && !followed.has(key)) goneSince.delete(key);
    if (JSON.stringify(accounts) !== JSON.stringify(subject.tokenAccounts ?? []))
      await saveTokenAccounts(this.app.db, holder, accounts);
    for (const mint of tokens) to.set(keyOf(holder, mint), at.height);
    searched.failures = 0;
  }

  private scheduleNext(address: string, time: number): void {
    const searched = this.searched.get(address);
    if (!searched) return;
    const poll = Math.max(minIntervalSeconds, (this.reader.pace?.().pollSeconds ?? 0) - 2);
    const wait = poll * 2 ** Math.min(searched.failures, 10);
    this.due.set(address, time + (searched.failures > 0 ? Math.min(wait, maxRetrySeconds) : poll));
  }
}

type Holder = WatchedContract & { tokens: string[] };

function toHolder(contract: WatchedContract): Holder {
  return { ...contract, tokens: followedTokensOf(contract) };
}

function contractsOf({ watchList }: EngineState, address: string): WatchedContract[] {
  return [...watchList.at(address)].filter(({ subject }) => subject.address === address);
}

function isKnown({ subject: { tokenAccounts = [] } }: Holder, mint: string): boolean {
  return tokenAccounts.some((one) => one.mint === mint);
}

function keyOf({ id }: Holder, mintOrAccount: string): string {
  return `${id} ${mintOrAccount}`;
}
