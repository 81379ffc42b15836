import type { Page, ResumePoint, Walk, Walked } from "./list-backwards.ts";
import { type ListedSignature, toListedSignatures } from "./listed-signature.ts";

/** The slots that one refresh covers. */
export type ListingScope = {
  /** Everything up to this slot was compared with the stored blocks for all addresses and can be dropped. */
  after: number;
  /** The newest slot that the engine has committed. */
  reached: number;
  /** The slot that the node must have processed. */
  atLeast: number;
  /** Transactions up to this slot cannot change. */
  finalized: number;
};

export type Limits = {
  /** Transactions of one address in memory. Later ones are listed after these were committed. */
  maxKept: number;
  /** An address with this many final transactions to commit is not listed until some of them are committed. */
  maxPending: number;
  /** An address with at most this many transactions is listed completely at every refresh. */
  smallListing: number;
  /** An address that cannot be listed, and a transaction that cannot be fetched, is suspended after this time. */
  maxFailingMs: number;
};

/** The reason and the start of a failure, in milliseconds. */
export type AddressFailure = { problem: string; sinceMs: number };

/** A slot is listed again until it has been final for this many slots, because an index may lag behind the chain. */
const stableSlots = 150;
/** The newest slots from which the rate of transactions is computed: 26 seconds. */
const rateSlots = 64;

/**
 * The listed transactions of one address, without a gap up to `listedTo`. Those that were not final are listed again at every
 * refresh; final ones are listed again from time to time, until they count as stable.
 */
export class WatchedAddress {
  readonly address: string;
  /** The address is watched from the slot after this one. */
  readonly since: number;
  listed: ListedSignature[] = [];
  /** Everything up to this slot is listed. */
  listedTo: number;
  /** Everything up to this slot was final when it was listed. */
  finalTo: number;
  /** Everything up to this slot had been final for `stableSlots` when it was listed. */
  stableTo: number;
  /** The chain went on to this slot without listing the address; what is found later below it counts as late. */
  passedTo = 0;
  /** Why the address cannot be listed, and since when. */
  failure: AddressFailure | undefined;
  /** New transactions since the counter was last reset. */
  arrived = 0;
  private readonly limits: Limits;
  /** The points at which unfinished walks resume, the lowest slot last. */
  private resumePoints: ResumePoint[] = [];
  private until: string | undefined;
  /** Transactions read since the last full listing. */
  private readSinceFullListing = 0;

  constructor(address: string, since: number, limits: Limits) {
    this.address = address;
    this.since = since;
    this.limits = limits;
    this.listedTo = this.finalTo = this.stableTo = since;
  }

  /** Returns the next walk; undefined while enough transactions are pending or if there is nothing new to list. */
  nextWalk(scope: ListingScope): Walk | undefined {
    this.dropUpTo(scope.after);
    this.stableTo = Math.max(this.stableTo, scope.after);
    this.finalTo = Math.max(this.finalTo, this.stableTo);
    this.listedTo = Math.max(this.listedTo, this.finalTo);
    if (this.pendingCount(scope) >= this.limits.maxPending) return undefined;
    while ((this.resumePoints.at(-1)?.slot ?? Number.POSITIVE_INFINITY) <= this.finalTo + 1)
      this.resumePoints.pop();
    const from = this.resumePoints.at(-1);
    const bottom = !from && this.isFullListingDue(scope) ? this.stableTo : this.finalTo;
    if (!from && scope.atLeast <= bottom) return undefined;
    const until = this.listed.findLast(({ slot }) => slot <= bottom)?.signature ?? this.until;
    const { address, finalTo } = this;
    const { atLeast, finalized } = scope;
    return { address, from, bottom, finalTo, until, atLeast, finalized, maxKept: this.limits.maxKept };
  }

  add(walk: Walk, walked: Walked): void {
    if (walked.resumeAt) {
      this.resumePoints.push(walked.resumeAt);
      return;
    }
    const { found, isCut } = walked;
    // If the newest transactions were dropped, the newest remaining slot may be incomplete.
    const end = walk.from?.slot ?? (isCut ? (found[0]?.slot ?? 0) : walk.atLeast + 1);
    this.resumePoints.pop();
    this.merge(found, walk.bottom, end - 1);
    this.readSinceFullListing = walk.bottom > this.stableTo ? this.readSinceFullListing + found.length : 0;
    this.finalTo = Math.max(this.finalTo, Math.min(walk.finalized, end - 1));
    if (walk.bottom <= this.stableTo)
      this.stableTo = Math.max(this.stableTo, Math.min(walk.finalized - stableSlots, end - 1));
  }

  /** True if the chain went on beyond what is listed. */
  get isPassedOver(): boolean {
    return this.passedTo > this.listedTo;
  }

  /** Lets the chain go on to a slot without this address. */
  passOver(to: number, problem: string, nowMs: number): void {
    this.passedTo = Math.max(this.passedTo, to);
    this.failure = { problem, sinceMs: this.failure?.sinceMs ?? nowMs };
  }

  /** True if a walk has to be resumed. */
  get isIncomplete(): boolean {
    return this.resumePoints.length > 0;
  }

  /** An estimate of the transactions to process, including those above the points where walks resume. */
  get load(): number {
    return Math.max(this.arrived, this.listed.length) + this.resumePoints.length * this.limits.maxKept;
  }

  /** The newest transactions per slot, over enough slots that a burst counts for little. */
  get perSlot(): number {
    const from = Math.max(this.since, this.listedTo - rateSlots);
    const count = this.listed.filter(({ slot }) => slot > from).length;
    return count / rateSlots;
  }

  /** Discards unfinished walks; the next one starts at the newest transaction. */
  restart(): void {
    this.resumePoints = [];
  }

  /**
   * A full listing is due if the list is short, if as many transactions as it holds were read since the last full listing, or
   * after about four minutes.
   */
  private isFullListingDue({ finalized }: ListingScope): boolean {
    const { length } = this.listed;
    return (
      length <= this.limits.smallListing ||
      this.readSinceFullListing >= length ||
      finalized - this.stableTo > 4 * stableSlots
    );
  }

  private merge(found: Page, bottom: number, to: number): void {
    const fresh = found.filter(({ slot }) => slot > bottom && slot <= to).reverse();
    // Only a stable transaction may end a walk, so that a full listing covers all others.
    this.until = found.find(({ slot }) => slot <= this.stableTo)?.signature ?? this.until;
    this.arrived += fresh.filter(({ slot }) => slot > this.listedTo).length;
    this.listed = [
      ...this.listed.filter(({ slot }) => slot <= bottom),
      ...toListedSignatures(fresh, this.address),
      ...this.listed.filter(({ slot }) => slot > to),
    ];
    this.listedTo = Math.max(this.listedTo, to);
  }

  private dropUpTo(after: number): void {
    const index = this.listed.findIndex(({ slot }) => slot > after);
    const dropped = this.listed.splice(0, index === -1 ? this.listed.length : index);
    this.until = dropped.at(-1)?.signature ?? this.until;
  }

  private pendingCount({ reached, finalized }: ListingScope): number {
    return this.listed.filter(({ slot }) => slot > reached && slot <= Math.min(finalized, this.listedTo))
      .length;
  }
}
