import { inParallel } from "../../rpc/in-parallel.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { listBackwards } from "./list-backwards.ts";
import { inChainOrder, type ListedSignature } from "./listed-signature.ts";
import { type Limits, type ListingScope, WatchedAddress } from "./watched-address.ts";

const maxParallel = 8;
/** A way down that is longer than this is gone on with at the next look. */
const maxWalksPerRefresh = 10;
/** Twenty pages, so that a way down ends well within its time, also at a node that takes a second for each. */
const defaults: Limits = { maxKept: 20_000, maxPending: 800, smallListing: 4_000 };

/**
 * The transactions of all watched addresses after a slot. A look costs what is new and what is not final; an address that has
 * more than is kept at once is worked through from its oldest, so that it is late and never has a gap.
 */
export class SignatureListing {
  private readonly rpc: Rpc;
  private readonly limits: Limits;
  private readonly byAddress = new Map<string, WatchedAddress>();

  constructor(rpc: Rpc, limits: Partial<Limits> = {}) {
    this.rpc = rpc;
    this.limits = { ...defaults, ...limits };
  }

  /** Addresses that are new count from where `since` says. */
  watch(addresses: ReadonlySet<string>, since: (address: string) => number): void {
    for (const address of this.byAddress.keys()) if (!addresses.has(address)) this.byAddress.delete(address);
    for (const address of addresses) {
      if (this.byAddress.has(address)) continue;
      this.byAddress.set(address, new WatchedAddress(address, since(address), this.limits));
    }
  }

  get addresses(): { address: string; since: number }[] {
    return [...this.byAddress.values()];
  }

  /** Everything is listed up to here. */
  get listedTo(): number {
    return this.lowest(({ listedTo }) => listedTo);
  }

  /** Everything up to here was final when it was listed. */
  get finalTo(): number {
    return this.lowest(({ finalTo }) => finalTo);
  }

  /** Everything up to here had been final for long when it was listed, and need not be looked at again. */
  get stableTo(): number {
    return this.lowest(({ stableTo }) => stableTo);
  }

  /** Lists what came. Each address as far as it goes, or it rejects. */
  async refresh(scope: ListingScope, prefer: number | undefined): Promise<void> {
    await inParallel(maxParallel, [...this.byAddress.values()], (watched) =>
      this.scope(watched, scope, prefer),
    );
  }

  /** How many transactions each address has had since this was last asked for, or still has to be taken in. */
  drainLoad(): Map<string, number> {
    const loads = new Map([...this.byAddress].map(([address, { load }]) => [address, load]));
    for (const watched of this.byAddress.values()) watched.arrived = 0;
    return loads;
  }

  /** Oldest first, each once. */
  between(after: number, to: number): ListedSignature[] {
    const found = new Map<string, ListedSignature>();
    for (const { since, listed } of this.byAddress.values()) {
      for (const one of listed) {
        if (one.slot > Math.max(after, since) && one.slot <= to && !found.has(one.signature))
          found.set(one.signature, one);
      }
    }
    return [...found.values()].sort(inChainOrder);
  }

  private async scope(
    watched: WatchedAddress,
    scope: ListingScope,
    prefer: number | undefined,
  ): Promise<void> {
    try {
      for (let left = maxWalksPerRefresh; left > 0; left--) {
        const walk = watched.nextWalk(scope);
        if (!walk) return;
        const options = { prefer, totalMs: 60_000 };
        const walked = await this.rpc.use((session) => listBackwards(session, walk), options);
        watched.add(walk, walked);
        if (!watched.isIncomplete || (!walked.resumeAt && watched.listedTo > scope.reached)) return;
      }
    } catch (error) {
      watched.restart();
      throw error;
    }
  }

  private lowest(of: (watched: WatchedAddress) => number): number {
    let lowest = Number.POSITIVE_INFINITY;
    for (const watched of this.byAddress.values()) lowest = Math.min(lowest, of(watched));
    return lowest;
  }
}
