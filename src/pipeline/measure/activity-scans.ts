import type { ChainReader } from "../../chains/reader.ts";
import type { ReadingPlan } from "../../chains/reading-plan.ts";
import type { WatchedContract, WatchList } from "../watch/watch-list.ts";

/**
 * Finds out which contracts with polled state were active, where the blocks that are read do not show it. It runs beside the
 * blocks, and a scan that fails is not repeated: state is read at its interval anyway.
 */
export class ActivityScans {
  private readonly reader: ChainReader;
  private found: { height: number; addresses: ReadonlySet<string> }[] = [];

  constructor(reader: ChainReader) {
    this.reader = reader;
  }

  /** Scans blocks for events of the contracts. The promise never rejects. */
  async start(from: number, to: number, plan: ReadingPlan): Promise<void> {
    const addresses = unobservedAddresses(plan);
    if (!this.reader.activeAddresses || addresses.size + plan.holders.size === 0) return;
    if (plan.reads === "blocks") return;
    const active = await this.reader
      .activeAddresses(from, to, { addresses, holders: plan.holders })
      .catch((): ReadonlySet<string> => new Set());
    if (active.size > 0) this.found.push({ height: to, addresses: active });
  }

  /** Removes and returns the contracts that were active up to a height. */
  removeUpTo(height: number, watchList: WatchList): WatchedContract[] {
    const due = this.found.filter((scan) => scan.height <= height);
    this.found = this.found.filter((scan) => scan.height > height);
    const addresses = new Set(due.flatMap((scan) => [...scan.addresses]));
    return [...addresses].flatMap((address) =>
      [...watchList.at(address)].filter(({ subject }) => subject.address === address),
    );
  }

  clear(): void {
    this.found = [];
  }
}

/** The contracts with polled state of which not every event is read. */
function unobservedAddresses(plan: ReadingPlan): ReadonlySet<string> {
  if (plan.reads === "state") return plan.stateAddresses;
  if (plan.reads !== "logs") return new Set();
  return new Set([...plan.stateAddresses].filter((address) => plan.events.get(address) !== "all"));
}
