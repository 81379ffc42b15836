import { createHash } from "node:crypto";
import type { Hex } from "./block.ts";

/** Watched events of one address, by their first topic; without topics all of them. */
export type EventFilter = { address: string; topics?: readonly Hex[] };

/** The events to read, by address. */
export type WatchedEvents = ReadonlyMap<string, ReadonlySet<string> | "all">;

/** The data to fetch besides transactions and logs. Traces are read beside the blocks: see `ChainReader.traces`. */
export type BlockNeeds = {
  receipts: boolean;
  traces?: boolean;
  /** The addresses whose transactions need receipts, where nodes return receipts one by one; by default all transactions. */
  watched?: ReadonlySet<string>;
};

/** The parts of a chain that a step reads. */
export type PlanContent =
  /** Nobody watches the chain: only its head is checked, now and then. */
  | { reads: "nothing" }
  /** State at the newest block. */
  | { reads: "state" }
  /** Some events of some addresses. `filter` identifies the set; with rules, events may become alerts. */
  | { reads: "logs"; events: WatchedEvents; filter: string; hasRules: boolean }
  /** Whole blocks. */
  | { reads: "blocks"; needs: BlockNeeds };

/** What the steps of a chain read, derived from what is watched. */
export type ReadingPlan = PlanContent & {
  /** The shortest polling interval of the targets that read state; undefined without any. */
  pollingSeconds: number | undefined;
  /** The number of targets that read state at their polling interval and share calls. */
  stateTargets: number;
  /** The state reads of one poll that take a call of their own. */
  ownCalls: number;
  /** The addresses of the contracts of all these targets. */
  stateAddresses: ReadonlySet<string>;
  /** The holders whose balances of a token are read, by token: its transfers show that they changed. */
  holders: ReadonlyMap<string, ReadonlySet<string>>;
  /** True if alerts wait until their block is safe or final. */
  awaitsFinality: boolean;
};

/** Merges filters into the events to read. */
export function mergeEvents(filters: Iterable<EventFilter>): WatchedEvents {
  const events = new Map<string, Set<string> | "all">();
  for (const { address, topics } of filters) {
    const known = events.get(address);
    if (known === "all") continue;
    if (!topics) events.set(address, "all");
    else events.set(address, new Set([...(known ?? []), ...topics]));
  }
  return events;
}

/** Returns whether an event is one of those to read. */
export function isWatchedEvent(events: WatchedEvents, address: string, topic: string | undefined): boolean {
  const topics = events.get(address);
  return topics === "all" || (topic !== undefined && topics?.has(topic) === true);
}

/** Identifies a set of events, whatever its order. */
export function identifyEvents(events: WatchedEvents): string {
  const lines = [...events].map(([address, topics]) =>
    [address, ...(topics === "all" ? ["all"] : [...topics].sort())].join(" "),
  );
  return createHash("sha256").update(lines.sort().join("\n")).digest("hex").slice(0, 16);
}
