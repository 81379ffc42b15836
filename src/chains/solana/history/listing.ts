import type { Clock } from "../../../lib/clock.ts";
import { ChainError } from "../../reader.ts";
import { inParallel } from "../../rpc/in-parallel.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { problemOfListing, requireListing, walkOnEach } from "./list-address.ts";
import { inChainOrder, type ListedSignature } from "./listed-signature.ts";
import { type Outcome, waitForRound } from "./round.ts";
import { type Limits, type ListingScope, WatchedAddress } from "./watched-address.ts";

const maxParallel = 8;
/** Addresses that failed before are listed at the same time as others, but not many of them. */
const maxParallelFailing = 2;
/** A longer listing continues at the next refresh. */
const maxWalksPerRefresh = 10;
/** 20 pages, so that a walk ends within its deadline even when a node takes a second per page. */
const defaults: Limits = { maxKept: 20_000, maxPending: 800, smallListing: 4_000, maxFailingMs: 60_000 };

/** An address that could not be listed for too long: nothing after `since` is known for certain. */
export type UnlistedAddress = { address: string; since: number; problem: string };

export type RefreshScope = ListingScope & {
  /** Slots below this one cannot be compared soon. */
  keptFrom: number;
  /** Whether an address has to be listed now. */
  isSelected(address: string): boolean;
};

/** The nodes of a listing. `auxiliary` is for addresses that failed, so that their failures cannot delay others. */
export type ListingSource = { rpc: Rpc; auxiliary: Rpc; clock: Clock };

/**
 * The transactions of all watched addresses after a slot. A refresh lists those that are new or not final. An address with
 * more transactions than fit in memory is processed from its oldest one, so it may be late but never has a gap. The chain goes
 * on without an address that cannot be listed; its transactions count as late when it can be listed again.
 */
export class SignatureListing {
  private readonly source: ListingSource;
  private readonly limits: Limits;
  private readonly byAddress = new Map<string, WatchedAddress>();
  private readonly inFlight = new Map<WatchedAddress, Promise<Outcome>>();

  constructor(source: ListingSource, limits: Partial<Limits> = {}) {
    this.source = source;
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

  /** The slot after which a watched address is read. */
  sinceOf(address: string): number | undefined {
    return this.byAddress.get(address)?.since;
  }

  get addresses(): { address: string; since: number }[] {
    return [...this.byAddress.values()];
  }

  /** Everything up to this slot is listed, of every address. */
  get listedTo(): number {
    return this.lowest(({ listedTo }) => listedTo);
  }

  /** The chain can be read up to this slot: addresses that could not be listed are passed over. */
  get readableTo(): number {
    return this.lowest(({ listedTo, passedTo }) => Math.max(listedTo, passedTo));
  }

  /** True if the chain goes on without some address. */
  get passesOver(): boolean {
    return [...this.byAddress.values()].some(({ isPassedOver }) => isPassedOver);
  }

  /** Everything up to this slot was final when it was listed. */
  get finalTo(): number {
    return this.lowest(({ finalTo }) => finalTo);
  }

  /** Everything up to this slot is stable and is not listed again. */
  get stableTo(): number {
    return this.lowest(({ stableTo }) => stableTo);
  }

  /** Lists new transactions of every address. Rejects only when the nodes list no address at all. */
  async refresh(scope: RefreshScope, prefer: number | undefined): Promise<void> {
    const all = [...this.byAddress.values()]
      .filter((watched) => !this.isGivenUp(watched, scope))
      .filter((watched) => !skip(watched, scope));
    const outcomes = new Map<WatchedAddress, Outcome>(all.map((watched) => [watched, "pending"]));
    const begin = async (watched: WatchedAddress) => {
      const outcome = await this.begin(watched, scope, prefer);
      outcomes.set(watched, outcome);
      return outcome;
    };
    const failing = all.filter(({ failure }) => failure);
    const others = all.filter(({ failure }) => !failure);
    await waitForRound(this.source.clock, [
      ...startInParallel(maxParallel, others, begin),
      ...startInParallel(maxParallelFailing, failing, begin),
    ]);
    const unlisted = all.filter((watched) => outcomes.get(watched) !== "done");
    if (unlisted.length === all.length && all.length > 0) await this.requireNodes(outcomes, prefer);
    const nowMs = this.source.clock.now().getTime();
    for (const watched of unlisted)
      watched.passOver(scope.atLeast, problemOfListing(outcomes.get(watched)), nowMs);
  }

  /** The addresses that could not be listed for too long. `keptFrom` is the slot below which nothing can be compared soon. */
  unreadable(keptFrom: number): UnlistedAddress[] {
    const nowMs = this.source.clock.now().getTime();
    return [...this.byAddress.values()].flatMap(({ address, failure, isPassedOver, listedTo }) => {
      if (!failure || !isPassedOver) return [];
      const isTooLong = Math.abs(nowMs - failure.sinceMs) >= this.limits.maxFailingMs || listedTo < keptFrom;
      return isTooLong ? [{ address, since: listedTo, problem: failure.problem }] : [];
    });
  }

  /** Sentences about addresses that cannot be listed. */
  problems(): string[] {
    const failing = [...this.byAddress.values()].filter(({ failure }) => failure);
    return failing.map(({ address, failure }) => `The address ${address} ${failure?.problem}.`);
  }

  /** The addresses that list a transaction in its slot. */
  addressesOf({ signature, slot }: Pick<ListedSignature, "signature" | "slot">): string[] {
    return [...this.byAddress.values()]
      .filter(({ listed }) =>
        listed.some(
          (listedSignature) => listedSignature.slot === slot && listedSignature.signature === signature,
        ),
      )
      .map(({ address }) => address);
  }

  /** Returns the load of each address since the last call, and resets it. */
  drainLoad(): Map<string, number> {
    const loads = new Map([...this.byAddress].map(([address, { load }]) => [address, load]));
    for (const watched of this.byAddress.values()) watched.arrived = 0;
    return loads;
  }

  /** The newest transactions per slot of each address. */
  perSlot(): Map<string, number> {
    return new Map([...this.byAddress].map(([address, { perSlot }]) => [address, perSlot]));
  }

  /** The accepted transactions of a range of slots, oldest first, without duplicates. */
  between(
    after: number,
    to: number,
    accepts: (listedSignature: ListedSignature) => boolean,
  ): ListedSignature[] {
    const found = new Map<string, ListedSignature>();
    for (const { since, listed } of this.byAddress.values()) {
      for (const listedSignature of listed) {
        const isInside = listedSignature.slot > Math.max(after, since) && listedSignature.slot <= to;
        if (isInside && !found.has(listedSignature.signature) && accepts(listedSignature))
          found.set(listedSignature.signature, listedSignature);
      }
    }
    return [...found.values()].sort(inChainOrder);
  }

  /** An address that was passed over for so long that its slots cannot be compared any more; it is about to be suspended. */
  private isGivenUp(watched: WatchedAddress, { after }: ListingScope): boolean {
    return watched.isPassedOver && watched.listedTo < after;
  }

  /** Lists an address, unless an earlier round still does. */
  private begin(watched: WatchedAddress, scope: ListingScope, prefer: number | undefined): Promise<Outcome> {
    const running = this.inFlight.get(watched);
    if (running) return running;
    const started = this.list(watched, scope, prefer)
      .then(
        (): Outcome => {
          watched.failure = undefined;
          return "done";
        },
        (error: unknown): Outcome => {
          watched.restart();
          return { error };
        },
      )
      .finally(() => this.inFlight.delete(watched));
    this.inFlight.set(watched, started);
    return started;
  }

  private async list(
    watched: WatchedAddress,
    scope: ListingScope,
    prefer: number | undefined,
  ): Promise<void> {
    const rpc = watched.failure ? this.source.auxiliary : this.source.rpc;
    for (let left = maxWalksPerRefresh; left > 0; left--) {
      const walk = watched.nextWalk(scope);
      if (!walk) return;
      const walked = await walkOnEach(rpc, walk, prefer);
      watched.add(walk, walked);
      if (!watched.isIncomplete || (!walked.resumeAt && watched.listedTo > scope.reached)) return;
    }
  }

  /** Throws the failure of the addresses unless the nodes list another address: then these are at fault themselves. */
  private async requireNodes(
    outcomes: ReadonlyMap<WatchedAddress, Outcome>,
    prefer: number | undefined,
  ): Promise<void> {
    const failures = [...outcomes.values()].flatMap((outcome) =>
      typeof outcome === "object" ? [outcome.error] : [],
    );
    await requireListing(this.source.auxiliary, prefer).catch((error: unknown) => {
      throw failures.find((failure) => failure instanceof ChainError) ?? error;
    });
  }

  private lowest(of: (watched: WatchedAddress) => number): number {
    let lowest = Number.POSITIVE_INFINITY;
    for (const watched of this.byAddress.values()) lowest = Math.min(lowest, of(watched));
    return lowest;
  }
}

/** Passes over an address that need not be listed now. What it turns out to have counts as late. */
function skip(watched: WatchedAddress, { isSelected, keptFrom, atLeast }: RefreshScope): boolean {
  if (isSelected(watched.address) || watched.listedTo < keptFrom) return false;
  watched.passedTo = Math.max(watched.passedTo, atLeast);
  return true;
}

/** Starts work for every item, at most `limit` at a time, and returns the promise of each. */
function startInParallel<Item, Result>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result>[] {
  const resolvers = items.map(() => Promise.withResolvers<Result>());
  void inParallel(limit, [...items.keys()], async (index) => {
    await work(items[index] as Item).then(resolvers[index]?.resolve, resolvers[index]?.reject);
  });
  return resolvers.map(({ promise }) => promise);
}
