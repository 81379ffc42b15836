export type LagLimits = {
  /** The lag at which the reader counts as late; 1,500 slots are ten minutes. */
  lateSlots: number;
  /** The observation period, in slots. */
  spanSlots: number;
  /** An address with fewer transactions in that period is not the cause. */
  minTransactions: number;
};

const defaults: LagLimits = { lateSlots: 1_500, spanSlots: 1_500, minTransactions: 10_000 };

type Progress = {
  head: number;
  reached: number;
  /** True if no block can be read until more is listed. */
  isListing: boolean;
};

/**
 * Detects that the reader falls behind the chain. Slots are processed in order, so an address with more transactions than can
 * be read delays all others and has to be suspended.
 */
export class LagMonitor {
  private readonly limits: LagLimits;
  private start: Progress | undefined;

  constructor(limits: Partial<LagLimits> = {}) {
    this.limits = { ...defaults, ...limits };
  }

  /** Returns the address to suspend; undefined while the reader keeps up. `drainLoad` returns and resets the load by address. */
  findOverloaded(now: Progress, drainLoad: () => Map<string, number>): string | undefined {
    const { lateSlots, spanSlots } = this.limits;
    const { start } = this;
    const isLate = now.head - now.reached > lateSlots;
    if (!isLate) this.start = undefined;
    if (!isLate || (start && now.head - start.head < spanSlots)) return undefined;
    this.start = now;
    const load = drainLoad();
    return start && this.isFallingBehind(start, now) ? this.busiest(load) : undefined;
  }

  /** Progress of less than 1.1 slots per slot. No progress at all counts only while listing, else it has another cause. */
  private isFallingBehind(start: Progress, now: Progress): boolean {
    const moved = now.reached - start.reached;
    return (moved > 0 || now.isListing) && moved < 1.1 * (now.head - start.head);
  }

  private busiest(load: Map<string, number>): string | undefined {
    const [top] = [...load].sort(([, a], [, b]) => b - a);
    return top && top[1] >= this.limits.minTransactions ? top[0] : undefined;
  }
}
