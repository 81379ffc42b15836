import { type ListedSignature, toListedSignature } from "./listed-signature.ts";
import type { Page, Stop, Walk, Walked } from "./walk.ts";

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
  enough: number;
  /** An address with no more than this is read whole with every look. */
  few: number;
};

/** How many slots after it is final a slot is still listed anew: an index may lag behind the chain. */
const margin = 150;

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
  wholeTo: number;
  /** Up to here, it was final when it was listed. */
  firm: number;
  /** Up to here, it had been final for long when it was listed. */
  ripe: number;
  /** How many transactions came since somebody last set this to zero. */
  came = 0;
  private readonly limits: Limits;
  /** Where to go on, the lowest last: there was more than is kept. */
  private stops: Stop[] = [];
  private until: string | undefined;
  /** How much was read since everything open was. */
  private spared = 0;

  constructor(address: string, since: number, limits: Limits) {
    this.address = address;
    this.since = since;
    this.limits = limits;
    this.wholeTo = this.firm = this.ripe = since;
  }

  /** What to read now; undefined while there is enough to do. */
  nextWalk(look: ListingScope): Walk | undefined {
    this.forget(look.after);
    this.ripe = Math.max(this.ripe, look.after);
    this.firm = Math.max(this.firm, this.ripe);
    this.wholeTo = Math.max(this.wholeTo, this.firm);
    if (this.atHand(look) >= this.limits.enough) return undefined;
    while ((this.stops.at(-1)?.slot ?? Number.POSITIVE_INFINITY) <= this.firm + 1) this.stops.pop();
    const from = this.stops.at(-1);
    const bottom = !from && this.isDue(look) ? this.ripe : this.firm;
    if (!from && look.atLeast <= bottom) return undefined;
    const until = this.listed.findLast(({ slot }) => slot <= bottom)?.signature ?? this.until;
    const { address, firm } = this;
    const { atLeast, finalized } = look;
    return { address, from, bottom, firm, until, atLeast, finalized, most: this.limits.maxKept };
  }

  take(walk: Walk, walked: Walked): void {
    if (walked.stop) {
      this.stops.push(walked.stop);
      return;
    }
    const { found, isCut } = walked;
    // A slot that is cut through is not whole.
    const end = walk.from?.slot ?? (isCut ? (found[0]?.slot ?? 0) : walk.atLeast + 1);
    this.stops.pop();
    this.merge(found, walk.bottom, end - 1);
    this.spared = walk.bottom > this.ripe ? this.spared + found.length : 0;
    this.firm = Math.max(this.firm, Math.min(walk.finalized, end - 1));
    if (walk.bottom <= this.ripe) this.ripe = Math.max(this.ripe, Math.min(walk.finalized - margin, end - 1));
  }

  /** Whether there is more than could be read so far. */
  get isOnTheWay(): boolean {
    return this.stops.length > 0;
  }

  /** How much of it there is to do: what came, what is at hand, and what lies above where the way down goes on. */
  get load(): number {
    return Math.max(this.came, this.listed.length) + this.stops.length * this.limits.maxKept;
  }

  /** The way down cannot be gone on: begin anew at the top. */
  startOver(): void {
    this.stops = [];
  }

  /** Everything open is read again where that is little, when as much was read without, and after some minutes in any case. */
  private isDue({ finalized }: ListingScope): boolean {
    const { length } = this.listed;
    return length <= this.limits.few || this.spared >= length || finalized - this.ripe > 4 * margin;
  }

  private merge(found: Page, bottom: number, to: number): void {
    const fresh = found.filter(({ slot }) => slot > bottom && slot <= to).reverse();
    // Never one that a look at everything open would want to see.
    this.until = found.find(({ slot }) => slot <= this.ripe)?.signature ?? this.until;
    this.came += fresh.filter(({ slot }) => slot > this.wholeTo).length;
    this.listed = [
      ...this.listed.filter(({ slot }) => slot <= bottom),
      ...toListedSignature(fresh, this.address),
      ...this.listed.filter(({ slot }) => slot > to),
    ];
    this.wholeTo = Math.max(this.wholeTo, to);
  }

  private forget(after: number): void {
    const at = this.listed.findIndex(({ slot }) => slot > after);
    const gone = this.listed.splice(0, at === -1 ? this.listed.length : at);
    this.until = gone.at(-1)?.signature ?? this.until;
  }

  private atHand({ reached, finalized }: ListingScope): number {
    return this.listed.filter(({ slot }) => slot > reached && slot <= Math.min(finalized, this.wholeTo))
      .length;
  }
}
