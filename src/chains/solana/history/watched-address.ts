import type { Page, ResumePoint, Walk, Walked } from "./list-backwards.ts";
import { type ListedSignature, toListedSignature } from "./listed-signature.ts";

/** What a look covers. */
export type ListingScope = {
  /** What came up to here is settled for all addresses, and forgotten. */
  after: number;
  /** The newest slot that the engine has. */
  reached: number;
  /** What the node must have seen. */
  atLeast: number;
  /** Up to here nothing can move any more. */
  finalized: number;
};

export type Limits = {
  /** Of one address, in memory. What came after these is listed when they are taken in. */
  maxKept: number;
  /** With so many at hand that are final, an address is not looked at. */
  maxPending: number;
  /** An address with no more than this is read whole with every look. */
  smallListing: number;
};

/** How many slots after it is final a slot is still listed anew: an index may lag behind the chain. */
const stableSlots = 150;

/**
 * What is known of one address. Its transactions are listed without a gap from the oldest that is open to `wholeTo`. What was
 * not final when it was listed is listed again with every look; what was, every so often, until it has been final for long.
 */
export class WatchedAddress {
  readonly address: string;
  /** Only what came after this slot counts. */
  readonly since: number;
  listed: ListedSignature[] = [];
  /** Everything up to here is listed. */
  listedTo: number;
  /** Up to here, it was final when it was listed. */
  finalTo: number;
  /** Up to here, it had been final for long when it was listed. */
  stableTo: number;
  /** How many transactions came since somebody last set this to zero. */
  arrived = 0;
  private readonly limits: Limits;
  /** Where to go on, the lowest last: there was more than is kept. */
  private resumePoints: ResumePoint[] = [];
  private until: string | undefined;
  /** How much was read since everything open was. */
  private readSinceFullListing = 0;

  constructor(address: string, since: number, limits: Limits) {
    this.address = address;
    this.since = since;
    this.limits = limits;
    this.listedTo = this.finalTo = this.stableTo = since;
  }

  /** What to read now; undefined while there is enough to do. */
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
    // A slot that is cut through is not whole.
    const end = walk.from?.slot ?? (isCut ? (found[0]?.slot ?? 0) : walk.atLeast + 1);
    this.resumePoints.pop();
    this.merge(found, walk.bottom, end - 1);
    this.readSinceFullListing = walk.bottom > this.stableTo ? this.readSinceFullListing + found.length : 0;
    this.finalTo = Math.max(this.finalTo, Math.min(walk.finalized, end - 1));
    if (walk.bottom <= this.stableTo)
      this.stableTo = Math.max(this.stableTo, Math.min(walk.finalized - stableSlots, end - 1));
  }

  /** Whether there is more than could be read so far. */
  get isIncomplete(): boolean {
    return this.resumePoints.length > 0;
  }

  /** How much of it there is to do: what came, what is at hand, and what lies above where the way down goes on. */
  get load(): number {
    return Math.max(this.arrived, this.listed.length) + this.resumePoints.length * this.limits.maxKept;
  }

  /** The way down cannot be gone on: begin anew at the top. */
  restart(): void {
    this.resumePoints = [];
  }

  /** Everything open is read again where that is little, when as much was read without, and after some minutes in any case. */
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
    // Never one that a look at everything open would want to see.
    this.until = found.find(({ slot }) => slot <= this.stableTo)?.signature ?? this.until;
    this.arrived += fresh.filter(({ slot }) => slot > this.listedTo).length;
    this.listed = [
      ...this.listed.filter(({ slot }) => slot <= bottom),
      ...toListedSignature(fresh, this.address),
      ...this.listed.filter(({ slot }) => slot > to),
    ];
    this.listedTo = Math.max(this.listedTo, to);
  }

  private dropUpTo(after: number): void {
    const at = this.listed.findIndex(({ slot }) => slot > after);
    const dropped = this.listed.splice(0, at === -1 ? this.listed.length : at);
    this.until = dropped.at(-1)?.signature ?? this.until;
  }

  private pendingCount({ reached, finalized }: ListingScope): number {
    return this.listed.filter(({ slot }) => slot > reached && slot <= Math.min(finalized, this.listedTo))
      .length;
  }
}
