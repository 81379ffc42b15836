import type { BlockRef, UnreadableAddress } from "../../reader.ts";
import type { History } from "./history.ts";
import type { OverloadedAddress } from "./lag-monitor.ts";

/**
 * The chain goes on without an address for at most this many committed blocks. The engine stores twice as many, so that what is
 * found late is always above the oldest stored block, also after a crash.
 */
const maxPassedBlocks = 128;

/** The slot below which nothing may be left to compare. `refs` are newest first. */
export function keptFrom(refs: readonly BlockRef[]): number {
  return refs[maxPassedBlocks]?.height ?? 0;
}

const defaultFailingMs = 60_000;

/** Collects the addresses that have to be suspended, each with the reason and the last slot that is complete. */
export class Unreadable {
  private readonly history: History;
  private readonly maxFailingMs: number;
  private readonly found = new Map<string, UnreadableAddress>();

  constructor(history: History, maxFailingMs = defaultFailingMs) {
    this.history = history;
    this.maxFailingMs = maxFailingMs;
  }

  /** Returns and removes one address that is still watched. */
  pop(watched: ReadonlySet<string>): UnreadableAddress | undefined {
    for (const [address, unreadableAddress] of this.found) {
      this.found.delete(address);
      if (watched.has(address)) return unreadableAddress;
    }
    return undefined;
  }

  addBusy({ address, perSecond }: OverloadedAddress, since: number, readPerSecond: number | undefined): void {
    const readable =
      readPerSecond === undefined ? "" : ` of which the nodes return about ${show(readPerSecond)}`;
    const problem = `has about ${show(perSecond)} transactions a second,${readable}`.replace(/,$/, "");
    this.found.set(address, {
      address,
      since,
      problem: `${problem}, more than can be read in time`,
      isBusy: true,
    });
  }

  /** Adds a token account that was found so late that stored blocks cannot be compared from the slot on at which it counts. */
  addLate(address: string, since: number): void {
    const problem =
      "is a token account that was found late, because those of its owner could not be searched";
    this.found.set(address, { address, since, problem, isBusy: false, isFoundLate: true });
  }

  /** Finds addresses that could not be listed, or of which a transaction could not be fetched, for too long. */
  collect(refs: readonly BlockRef[]): void {
    const { listing } = this.history;
    const lowest = keptFrom(refs);
    for (const { address, since, problem } of listing.unreadable(lowest))
      this.found.set(address, { address, since, problem, isBusy: false });
    this.collectWithheld(lowest);
  }

  private collectWithheld(lowest: number): void {
    const { listing, transactions, clock } = this.history;
    const nowMs = clock.now().getTime();
    for (const { listed, sinceMs } of transactions.allWithheld) {
      const { signature, slot } = listed;
      const addresses = listing.addressesOf(listed);
      if (addresses.length === 0) transactions.release(signature);
      if (Math.abs(nowMs - sinceMs) < this.maxFailingMs && slot > lowest) continue;
      const problem = `has a transaction in slot ${slot} that the nodes list but do not return: ${signature}`;
      for (const address of addresses)
        this.found.set(address, { address, since: slot - 1, problem, isBusy: false });
    }
  }
}

function show(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : String(Math.round(perSecond));
}
