export type LagLimits = {
  /** The lag at which the reader counts as late; 150 slots are a minute. */
  lateSlots: number;
  /** The observation period, in slots. */
  spanSlots: number;
  /** The time of a slot, for rates. */
  slotSeconds: number;
};

const defaults: LagLimits = { lateSlots: 150, spanSlots: 75, slotSeconds: 0.4 };

/** An address that makes this many times as many transactions as the nodes return can never be followed. */
const hopelessRatio = 2;

export type Progress = {
  head: number;
  reached: number;
  /** True if no block can be read until more is listed. */
  isListing: boolean;
};

/** What arrives and what can be read. */
export type Load = {
  /** The transactions of each address since the last period. Returns and resets them. */
  drain(): Map<string, number>;
  /** The newest transactions per slot of each address. */
  perSlot(): Map<string, number>;
  /** The transactions that the nodes return in a second; undefined before it was measured. */
  readPerSecond: number | undefined;
};

/** An address that cannot be followed, and how many transactions a second it has. */
export type OverloadedAddress = { address: string; perSecond: number };

/**
 * Detects that the reader falls behind the chain. Slots are processed in order, so an address with more transactions than can
 * be read delays all others and has to be suspended: at once if it alone has far more than can be read, else when the reader
 * is late and does not catch up. Only rates count, so that slow nodes are as good a reason as busy addresses.
 */
export class LagMonitor {
  private readonly limits: LagLimits;
  private start: Progress | undefined;
  private previousHead: number | undefined;

  constructor(limits: Partial<LagLimits> = {}) {
    this.limits = { ...defaults, ...limits };
  }

  /** Returns the address to suspend; undefined while the reader keeps up. */
  findOverloaded(now: Progress, load: Load): OverloadedAddress | undefined {
    const { lateSlots, spanSlots } = this.limits;
    const { start } = this;
    // What came since the last observation could not have been read yet, however rarely the chain is polled.
    const previous = this.previousHead ?? now.head;
    this.previousHead = now.head;
    const isLate = previous - now.reached > lateSlots;
    if (!isLate) this.start = undefined;
    const hopeless = this.findHopeless(now, load);
    if (hopeless) return hopeless;
    if (!isLate || (start && now.head - start.head < spanSlots)) return undefined;
    this.start = now;
    const arrived = load.drain();
    if (!start || !this.isFallingBehind(start, now)) return undefined;
    return this.busiest(arrived, (now.head - start.head) * this.limits.slotSeconds);
  }

  /** An address whose newest transactions alone are far more than can be read, while the reader is behind. */
  private findHopeless(now: Progress, { perSlot, readPerSecond }: Load): OverloadedAddress | undefined {
    const { slotSeconds, spanSlots } = this.limits;
    if (readPerSecond === undefined || now.head - now.reached < spanSlots / 4) return undefined;
    const [top] = [...perSlot()].sort(([, a], [, b]) => b - a);
    if (!top) return undefined;
    const perSecond = top[1] / slotSeconds;
    return perSecond > hopelessRatio * readPerSecond ? { address: top[0], perSecond } : undefined;
  }

  /** Progress of less than 1.1 slots per slot. No progress at all counts only while listing, else it has another cause. */
  private isFallingBehind(start: Progress, now: Progress): boolean {
    const moved = now.reached - start.reached;
    return (moved > 0 || now.isListing) && moved < 1.1 * (now.head - start.head);
  }

  /** The address with the most transactions, if it has more than its share: without any, the lag has another cause. */
  private busiest(arrived: Map<string, number>, seconds: number): OverloadedAddress | undefined {
    const [top] = [...arrived].sort(([, a], [, b]) => b - a);
    const total = [...arrived.values()].reduce((sum, count) => sum + count, 0);
    if (!top || top[1] === 0 || top[1] < total / arrived.size) return undefined;
    return { address: top[0], perSecond: top[1] / Math.max(1, seconds) };
  }
}
