export type LagLimits = {
  /** So many slots behind is late: ten minutes. */
  late: number;
  /** So long it is looked on, in slots. */
  span: number;
  /** Who has fewer transactions in that time is not what keeps us. */
  least: number;
};

const usual: LagLimits = { late: 1_500, span: 1_500, least: 10_000 };

type Moment = {
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
  private began: Moment | undefined;

  constructor(limits: Partial<LagLimits> = {}) {
    this.limits = { ...usual, ...limits };
  }

  /** Who has to go now; undefined while we keep up or gain on the chain. `takeLoad` says how much each has had since it was last asked. */
  judge(now: Moment, drainLoad: () => Map<string, number>): string | undefined {
    const { late, span } = this.limits;
    const { began } = this;
    const isLate = now.head - now.reached > late;
    if (!isLate) this.began = undefined;
    if (!isLate || (began && now.head - began.head < span)) return undefined;
    this.began = now;
    const load = drainLoad();
    return began && this.isFallingBehind(began, now) ? this.busiest(load) : undefined;
  }

  /** Slower than the chain and a tenth; where nothing moved at all it is for the amount only if that is being listed still. */
  private isFallingBehind(began: Moment, now: Moment): boolean {
    const moved = now.reached - began.reached;
    return (moved > 0 || now.isListing) && moved < 1.1 * (now.head - began.head);
  }

  private busiest(load: Map<string, number>): string | undefined {
    const [most] = [...load].sort(([, a], [, b]) => b - a);
    return most && most[1] >= this.limits.least ? most[0] : undefined;
  }
}
