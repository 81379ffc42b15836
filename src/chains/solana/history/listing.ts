import { inParallel } from "../../rpc/in-parallel.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { listBackwards } from "./list-backwards.ts";
import { inChainOrder, type ListedSignature } from "./listed-signature.ts";
import { type Limits, type ListingScope, WatchedAddress } from "./watched-address.ts";

const maxParallel = 8;
/** A longer listing continues at the next refresh. */
const maxWalksPerRefresh = 10;
/** 20 pages, so that a walk ends within its deadline even when a node takes a second per page. */
const defaults: Limits = { maxKept: 20_000, maxPending: 800, smallListing: 4_000 };

/**
 * The transactions of all watched addresses after a slot. A refresh lists those that are new or not final. An address with
 * more transactions than fit in memory is processed from its oldest one, so it may be late but never has a gap.
 */
export class SignatureListing {
  private readonly rpc: Rpc;
  private readonly limits: Limits;
  private readonly byAddress = new Map<string, WatchedAddress>();

  constructor(rpc: Rpc, limits: Partial<Limits> = {}) {
    this.rpc = rpc;
    this.limits = { ...defaults, ...limits };
  }

  /** Sets the watched addresses. New ones are watched after the slot that `since` returns. */
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

  /** Everything up to this slot is listed. */
  get listedTo(): number {
    return this.lowest(({ listedTo }) => listedTo);
  }

  /** Everything up to this slot was final when it was listed. */
  get finalTo(): number {
    return this.lowest(({ finalTo }) => finalTo);
  }

  /** Everything up to this slot is stable and is not listed again. */
  get stableTo(): number {
    return this.lowest(({ stableTo }) => stableTo);
  }

  /** Lists new transactions of every address. Rejects when one cannot be listed. */
  async refresh(scope: ListingScope, prefer: number | undefined): Promise<void> {
    await inParallel(maxParallel, [...this.byAddress.values()], (watched) =>
      this.refreshAddress(watched, scope, prefer),
    );
  }

  /** Returns the load of each address since the last call, and resets it. */
  drainLoad(): Map<string, number> {
    const loads = new Map([...this.byAddress].map(([address, { load }]) => [address, load]));
    for (const watched of this.byAddress.values()) watched.arrived = 0;
    return loads;
  }

  /** The listed transactions of a range of slots, oldest first, without duplicates. */
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

  private async refreshAddress(
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
