export type LagLimits = {
  /** So many slots behind is late: ten minutes. */
  lateSlots: number;
  /** So long it is looked on, in slots. */
  spanSlots: number;
  /** Who has fewer transactions in that time is not what keeps us. */
  minTransactions: number;
};

const defaults: LagLimits = { lateSlots: 1_500, spanSlots: 1_500, minTransactions: 10_000 };

type Progress = {
  head: number;
  reached: number;
  /** Whether nothing can be taken in until more is listed. */
  isListing: boolean;
};

/**
 * Watches whether we keep up with the chain. Blocks are taken in one after the other, so that an address at which more happens
 * than can be read would make all others later and later; such a one has to go, and to be told of.
 */
export class LagMonitor {
  private readonly limits: LagLimits;
  private start: Progress | undefined;

  constructor(limits: Partial<LagLimits> = {}) {
    this.limits = { ...defaults, ...limits };
  }

  /** Who has to go now; undefined while we keep up or gain on the chain. `takeLoad` says how much each has had since it was last asked. */
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

  /** Slower than the chain and a tenth; where nothing moved at all it is for the amount only if that is being listed still. */
  private isFallingBehind(start: Progress, now: Progress): boolean {
    const moved = now.reached - start.reached;
    return (moved > 0 || now.isListing) && moved < 1.1 * (now.head - start.head);
  }

  private busiest(load: Map<string, number>): string | undefined {
    const [top] = [...load].sort(([, a], [, b]) => b - a);
    return top && top[1] >= this.limits.minTransactions ? top[0] : undefined;
  }
}
