export type HoldUpLimits = {
  /** So many slots behind is late: ten minutes. */
  late: number;
  /** So long it is looked on, in slots. */
  span: number;
  /** Who has fewer transactions in that time is not what keeps us. */
  least: number;
};

const usual: HoldUpLimits = { late: 1_500, span: 1_500, least: 10_000 };

type Beginning = { head: number; reached: number };

/**
 * Watches whether we keep up with the chain. Blocks are taken in one after the other, so that an address at which more happens
 * than can be read would make all others later and later; such a one has to go, and to be told of.
 */
export class HoldUp {
  private readonly limits: HoldUpLimits;
  private began: Beginning | undefined;

  constructor(limits: Partial<HoldUpLimits> = {}) {
    this.limits = { ...usual, ...limits };
  }

  /** Who has to go now; undefined while we keep up or gain on the chain. `takeCame` says how much came since it was last asked. */
  judge(head: number, reached: number, takeCame: () => Map<string, number>): string | undefined {
    const { late, span } = this.limits;
    const { began } = this;
    if (head - reached <= late) this.began = undefined;
    if (head - reached <= late || (began && head - began.head < span)) return undefined;
    this.began = { head, reached };
    const came = takeCame();
    return began && this.isHopeless(began, this.began) ? this.busiest(came) : undefined;
  }

  /** Slower than the chain and a tenth; where nothing moved at all it is not for the amount. */
  private isHopeless(began: Beginning, now: Beginning): boolean {
    const moved = now.reached - began.reached;
    return moved > 0 && moved < 1.1 * (now.head - began.head);
  }

  private busiest(came: Map<string, number>): string | undefined {
    const [most] = [...came].sort(([, a], [, b]) => b - a);
    return most && most[1] >= this.limits.least ? most[0] : undefined;
  }
}
