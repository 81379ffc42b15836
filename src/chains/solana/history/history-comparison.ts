import {
  type BlockRef,
  type Fork,
  type HolderSearchState,
  PrunedHistory,
  type UnreadableAddress,
} from "../../reader.ts";
import { finalitySeconds } from "../heads/estimate-calls.ts";
import { forkBelow, lowestChangedSlot } from "./find-fork.ts";
import { type History, readableBetween } from "./history.ts";
import type { LagMonitor } from "./lag-monitor.ts";
import { recentSlots } from "./list-backwards.ts";
import { blockRefAt } from "./slots.ts";
import { keptFrom, Unreadable } from "./unreadable.ts";
import { watchedSinceIn } from "./watched-since.ts";

/** The past of an address is read up to slots that were final for this long, because an index may lag behind the chain. */
const indexLagSlots = 64;

type StoredSince = (address: string) => number | undefined;

/** Compares committed blocks with what the nodes list now, and finds the block at which they part. */
export class HistoryComparison {
  /** The newest block that the engine has committed. */
  reached = 0;
  private readonly history: History;
  private readonly lag: LagMonitor;
  private readonly unreadable: Unreadable;
  private addresses: ReadonlySet<string> = new Set();
  /** Everything up to this slot is final and was listed unchanged for long enough. */
  private floor: number | undefined;
  private finalizedSlot = 0;
  private finalizedAtMs: number | undefined;
  /** True if alerts wait until their block is final. */
  awaitsFinality = false;
  /** Blocks above this slot stay comparable, because addresses will resume there. */
  heldFrom: number | undefined;
  private resuming: ReadonlyMap<string, number> = new Map();
  private searches: HolderSearchState | undefined;
  /** Which addresses the current poll has to list. */
  isSelected: (address: string) => boolean = () => true;

  constructor(history: History, lag: LagMonitor, maxFailingMs?: number) {
    this.history = history;
    this.lag = lag;
    this.unreadable = new Unreadable(history, maxFailingMs);
  }

  watch(
    addresses: ReadonlySet<string>,
    resuming: ReadonlyMap<string, number>,
    searches?: HolderSearchState,
  ): void {
    this.addresses = addresses;
    this.resuming = resuming;
    this.searches = searches;
  }

  /** The slot up to which the past of an address will not change any more. */
  get stableTo(): number {
    return this.finalizedSlot - indexLagSlots;
  }

  /** Never beyond what was compared: a slot that a node calls final may still turn out to hold something else. */
  get finalized(): number {
    return Math.min(this.finalizedSlot, this.reached, this.history.listing.finalTo);
  }

  /** Returns each address once that has to be suspended. */
  popUnreadable(): UnreadableAddress | undefined {
    return this.unreadable.pop(this.addresses);
  }

  /** Lists what is new and returns the fork, if a committed block changed. `refs` are newest first. */
  async findFork(refs: readonly BlockRef[], head: BlockRef): Promise<Fork | undefined> {
    const { rpc, listing, transactions, prefer } = this.history;
    const [newest] = refs;
    if (!newest || head.height < newest.height) return undefined;
    const after = await this.refresh(refs, newest, head);
    await transactions.retryWithheld(prefer());
    this.unreadable.collect(refs);
    const { readableTo } = listing;
    const resumed = this.forkForResuming(refs, readableTo);
    if (resumed) return resumed;
    const isCompared = ({ height }: BlockRef) => height > after && height <= readableTo;
    const listed = readableBetween(this.history, after, Math.min(newest.height, readableTo));
    // What is missing from an incomplete listing is not lost.
    const lostUpTo = listing.listedTo;
    const lowest = await lowestChangedSlot(rpc, refs.filter(isCompared), listed, {
      finalized: this.finalizedSlot,
      lostUpTo,
    });
    if (lowest !== undefined) return forkBelow(refs, lowest) ?? this.forkBelowAll(refs);
    // A token account that the next search finds counts from the last search on, if that is not too long ago.
    const searchedTo = Math.max(this.searches?.searchedTo ?? Infinity, keptFrom(refs));
    const comparableFrom = Math.min(newest.height, listing.stableTo, this.heldFrom ?? Infinity, searchedTo);
    this.floor = Math.max(after, comparableFrom);
    transactions.forget(this.floor);
    this.observeLag(head, newest);
    return undefined;
  }

  /** What an address has after the slot at which it resumes is read again, together with all others. */
  private forkForResuming(refs: readonly BlockRef[], readableTo: number): Fork | undefined {
    const from = Math.min(...this.resuming.values());
    const depth = refs.findIndex(({ height }) => height <= from);
    const ancestor = refs[depth];
    if (!ancestor || readableTo <= from || this.reached <= from) return undefined;
    return { ancestor, depth, isLate: true };
  }

  private observeLag(head: BlockRef, newest: BlockRef): void {
    const { listing, transactions } = this.history;
    const progress = {
      head: head.height,
      reached: this.reached,
      isListing: listing.readableTo <= newest.height,
    };
    const overloaded = this.lag.findOverloaded(progress, {
      drain: () => listing.drainLoad(),
      perSlot: () => listing.perSlot(),
      readPerSecond: transactions.perSecond,
    });
    if (overloaded) this.unreadable.addBusy(overloaded, this.reached, transactions.perSecond);
  }

  /** Brings the listing up to the head. Returns the slot after which blocks are compared. */
  private async refresh(refs: readonly BlockRef[], newest: BlockRef, head: BlockRef): Promise<number> {
    const { listing, prefer } = this.history;
    const isFirst = this.floor === undefined;
    // Slots before the oldest stored block cannot be compared.
    const after = Math.max(this.floor ?? 0, startOf(refs.at(-1) ?? newest));
    this.reached = newest.height;
    if (this.addresses.size > 0) await this.requireHistory(newest, head);
    const storedSince = (address: string) => (isFirst ? watchedSinceIn(refs, address) : undefined);
    listing.watch(this.addressesFrom(after, newest, storedSince), (address) =>
      this.sinceOf(address, newest, storedSince),
    );
    await this.refreshFinalized(refs, head);
    const { reached, finalizedSlot: finalized, isSelected } = this;
    const slotsToList = { after, reached, atLeast: head.height, finalized };
    await listing.refresh({ ...slotsToList, keptFrom: keptFrom(refs), isSelected }, prefer());
    this.floor = after;
    return after;
  }

  /**
   * The addresses to list. A token account that was found so late that the slots since then cannot be compared any more is not one of
   * them: it is reported, so that its past is read beside the chain.
   */
  private addressesFrom(after: number, newest: BlockRef, storedSince: StoredSince): ReadonlySet<string> {
    const { listing } = this.history;
    const late = [...(this.searches?.found ?? [])].filter(
      ([address, { since, found_height = 0 }]) =>
        this.addresses.has(address) &&
        since > 0 &&
        since < after &&
        found_height >= after &&
        listing.sinceOf(address) === undefined &&
        this.sinceOf(address, newest, storedSince) < after,
    );
    for (const [address] of late)
      this.unreadable.addLate(address, this.sinceOf(address, newest, storedSince));
    const isLate = new Set(late.map(([address]) => address));
    return isLate.size === 0
      ? this.addresses
      : new Set([...this.addresses].filter((address) => !isLate.has(address)));
  }

  /**
   * The slot after which a new address is read. A token account of a holder that was watched before may be read from an earlier
   * one.
   */
  private sinceOf(address: string, { height }: BlockRef, storedSince: StoredSince): number {
    const since = this.resuming.get(address) ?? storedSince(address);
    if (since !== undefined) return since;
    const found = this.searches?.found.get(address);
    if (!found) return height;
    const ofHolder = this.history.listing.sinceOf(found.holder) ?? storedSince(found.holder) ?? height;
    return Math.min(height, Math.max(found.since, ofHolder));
  }

  /** Asks for the final slot while transactions or alerts wait for it, and else rarely. */
  private async refreshFinalized(refs: readonly BlockRef[], head: BlockRef): Promise<void> {
    const { slots, clock } = this.history;
    const isOpen = ({ height, seen }: BlockRef) =>
      height > this.finalizedSlot && seen !== undefined && seen.transactions.length > 0;
    const nowMs = clock.now().getTime();
    const ageMs = this.finalizedAtMs === undefined ? Infinity : Math.abs(nowMs - this.finalizedAtMs);
    const isAwaited = this.awaitsFinality || this.heldFrom !== undefined;
    if (!isAwaited && ageMs < finalitySeconds * 1000 && !refs.some(isOpen)) return;
    this.finalizedSlot = Math.max(this.finalizedSlot, Math.min(await slots.finalized(), head.height));
    this.finalizedAtMs = nowMs;
  }

  /** Throws when no node has the slots since the newest committed block any more: listings would have a gap. */
  private async requireHistory({ height }: BlockRef, head: BlockRef): Promise<void> {
    if (head.height - height <= recentSlots) return;
    const oldest = await this.history.slots.oldest();
    if (oldest !== undefined && oldest > height + 1 && oldest <= head.height)
      throw new PrunedHistory(height + 1, oldest);
  }

  /** Every stored block changed: the engine starts again below the oldest. */
  private async forkBelowAll(refs: readonly BlockRef[]): Promise<Fork | undefined> {
    const oldest = refs.at(-1);
    if (!oldest) return undefined;
    const height = startOf(oldest);
    // Where no node knows the time of that slot any more, that of the oldest block is the closest.
    const ancestor = (await this.history.slots.refOf(height)) ?? blockRefAt(height, oldest.time);
    return { ancestor, depth: refs.length };
  }
}

/** The slot after which a block covers the chain. */
function startOf({ height, seen }: BlockRef): number {
  return seen?.after ?? height - 1;
}
