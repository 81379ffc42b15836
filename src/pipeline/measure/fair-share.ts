/**
 * Returns the largest share that each of several demands can have of what is available, where smaller demands leave their
 * rest to the others. Infinite if all of them fit. The order of the demands does not matter.
 */
export function fairShare(demands: readonly number[], available: number): number {
  if (demands.reduce((sum, demand) => sum + demand, 0) <= available) return Number.POSITIVE_INFINITY;
  let rest = available;
  for (const [index, demand] of demands.toSorted((a, b) => a - b).entries()) {
    const share = rest / (demands.length - index);
    if (demand > share) return share;
    rest -= demand;
  }
  return Number.POSITIVE_INFINITY;
}

/** Computes the share of each organisation in a block. */
export class FairShares {
  private readonly demands = new Map<string, number[]>();
  private readonly shares = new Map<string, number>();
  private readonly available: number;

  constructor(available: number) {
    this.available = available;
  }

  add(org_id: string, demand: number): void {
    const known = this.demands.get(org_id);
    if (known) known.push(demand);
    else this.demands.set(org_id, [demand]);
  }

  /** What each demand of an organisation can have; to be asked after all of them were added. */
  of(org_id: string): number {
    const known = this.shares.get(org_id);
    if (known !== undefined) return known;
    const share = fairShare(this.demands.get(org_id) ?? [], this.available);
    this.shares.set(org_id, share);
    return share;
  }
}
