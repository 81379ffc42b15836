import type { BlockRef, Fork } from "../../reader.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { forkBelow, lowestChangedSlot } from "./find-fork.ts";
import type { LagMonitor } from "./lag-monitor.ts";
import type { SignatureListing } from "./listing.ts";
import { blockRefAt, type Slots } from "./slots.ts";
import type { TransactionCache } from "./transaction-cache.ts";
import { watchedSinceIn } from "./watched-since.ts";

/** The parts of a reader that its history is made of. */
export type History = {
  rpc: Rpc;
  listing: SignatureListing;
  transactions: TransactionCache;
  slots: Slots;
  /** The endpoint to try first. */
  prefer(): number;
};

/** Compares committed blocks with what the nodes list now, and finds the block at which they part. */
export class HistoryComparison {
  /** The newest block that the engine has committed. */
  reached = 0;
  private readonly history: History;
  private readonly lag: LagMonitor;
  private addresses: ReadonlySet<string> = new Set();
  /** Everything up to this slot is final and was listed unchanged for long enough. */
  private floor: number | undefined;
  private finalizedSlot = 0;
  private overloaded: string | undefined;

  constructor(history: History, lag: LagMonitor) {
    this.history = history;
    this.lag = lag;
  }

  watch(addresses: ReadonlySet<string>): void {
    this.addresses = addresses;
  }

  /** Never beyond what was compared: a slot that a node calls final may still turn out to hold something else. */
  get finalized(): number {
    return Math.min(this.finalizedSlot, this.reached, this.history.listing.finalTo);
  }

  popOverloadedAddress(): string | undefined {
    const address = this.overloaded;
    this.overloaded = undefined;
    return address;
  }

  /** Lists what is new and returns the fork, if a committed block changed. `refs` are newest first. */
  async findFork(refs: readonly BlockRef[], head: BlockRef): Promise<Fork | undefined> {
    const { rpc, listing, transactions } = this.history;
    const [newest] = refs;
    if (!newest || head.height < newest.height) return undefined;
    const after = await this.refresh(refs, newest, head);
    const isCompared = ({ height }: BlockRef) => height > after && height <= listing.listedTo;
    const listed = listing.between(after, Math.min(newest.height, listing.listedTo));
    const lowest = await lowestChangedSlot(rpc, refs.filter(isCompared), listed, this.finalizedSlot);
    if (lowest !== undefined) return forkBelow(refs, lowest) ?? this.forkBelowAll(refs);
    this.floor = Math.max(after, Math.min(newest.height, listing.stableTo));
    transactions.forget(this.floor);
    const progress = {
      head: head.height,
      reached: this.reached,
      isListing: listing.listedTo <= newest.height,
    };
    this.overloaded = this.lag.findOverloaded(progress, () => listing.drainLoad());
    return undefined;
  }

  /** Brings the listing up to the head. Returns the slot after which blocks are compared. */
  private async refresh(refs: readonly BlockRef[], newest: BlockRef, head: BlockRef): Promise<number> {
    const { listing, slots, prefer } = this.history;
    const isFirst = this.floor === undefined;
    // Slots before the oldest stored block cannot be compared.
    const after = Math.max(this.floor ?? 0, startOf(refs.at(-1) ?? newest));
    this.reached = newest.height;
    listing.watch(
      this.addresses,
      (address) => (isFirst ? watchedSinceIn(refs, address) : undefined) ?? newest.height,
    );
    this.finalizedSlot = Math.max(this.finalizedSlot, Math.min(await slots.finalized(), head.height));
    const { reached, finalizedSlot: finalized } = this;
    await listing.refresh({ after, reached, atLeast: head.height, finalized }, prefer());
    this.floor = after;
    return after;
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
