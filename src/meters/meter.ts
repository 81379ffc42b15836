import type { z } from "zod";
import type { Activity, Subject } from "../chains/activity.ts";
import type { Read, ReadResult } from "../chains/block.ts";
import type { Chain } from "../chains/chain.ts";

export type Aggregation = "last" | "avg" | "min" | "max" | "sum" | "count" | "rate" | "p95";

/** What a meter must be shown. */
export type Need = "transactions" | "receipts" | "logs" | "state";

/** One measured value, and what shows it. */
export type Reading = {
  value: number;
  /** The transaction that it comes from; null for a state that was read. */
  tx_hash: string | null;
  /** The log's position within that transaction; null for the transaction as a whole. */
  position: number | null;
  log_index?: number;
  /** Tells distinct readings apart where they are counted once, such as a sender. */
  subject?: string;
  /** For the alert's explanation, and for the next reading to compare with. */
  evidence?: Record<string, unknown>;
};

/** A reading with the block that it holds for. */
export type TimedReading = Reading & {
  height: number;
  time: number;
  /** Of several readings that are kept only as their sums; `value` is the last of them. */
  rolled?: { count: number; sum: number; min: number; max: number };
};

/** How many readings one stands for. */
export function countOf({ rolled }: TimedReading): number {
  return rolled?.count ?? 1;
}

/** What the readings that one stands for add up to. */
export function sumOf({ rolled, value }: TimedReading): number {
  return rolled?.sum ?? value;
}

/**
 * Something that can be measured. A meter says what is; rules say what is wrong. It sees plain data, never the store
 * or a node, and depends on nothing but its arguments, so that replaying a chain measures the same.
 */
export type Meter<Config extends z.ZodObject = z.ZodObject> = {
  /** The `target_type` on the wire. Never renamed. */
  type: string;
  title: string;
  about: string;
  unit: string;
  families: readonly Chain["kind"][];
  /** How many a contract may have. Creating a second of `one` gives the first back. */
  instances: "one" | "many";
  config: Config;
  needs: readonly Need[];
  /** Why a target with such a config cannot be measured, although it may be kept; undefined when it can. */
  configProblem?(config: z.output<Config>, kind?: Chain["kind"]): string | undefined;
  /** Whether it looks at the calls that contracts make, which only traces show. */
  needsTraces?(config: z.output<Config>): boolean;
  /** How a rule reads a window when it does not say. */
  aggregation: Aggregation;
  /** A rule's match then looks at whole transactions, also at those that only made the contract emit something. */
  matchesOn?: "transactions";
  /** Other addresses whose logs must be seen, such as a token that the contract holds. */
  relatedAddresses?(config: z.output<Config>, subject: Subject): string[];
  /** Readings from what a block held. `previous` is the newest earlier reading. */
  measure?(
    config: z.output<Config>,
    activity: Activity,
    subject: Subject,
    previous: TimedReading | undefined,
  ): Reading[];
  /** What to read from the chain's state when the org's polling interval has passed. */
  reads?(config: z.output<Config>, subject: Subject): Read[];
  /** The reading that the results make, or why there is none. */
  interpret?(
    config: z.output<Config>,
    results: ReadResult[],
    subject: Subject,
    context: { time: number; previous: TimedReading | undefined },
  ): Reading | { problem: string };
  /** How far back the meter's own sense of a window must look to say anything; 300 where no rule says more. */
  windowSeconds?(config: z.output<Config>): number;
  /** Given where its own sense of a window is how unusual something is: what is usual, which an explanation shows. */
  baseline?(
    config: z.output<Config>,
    window: readonly TimedReading[],
  ): { median: number; mad: number; windows: number } | undefined;
  /** The meter's own sense of a window, used for the aggregation `last`; the newest value unless said. Null: no data. */
  summarise?(config: z.output<Config>, window: readonly TimedReading[]): number | null;
};

export function defineMeter<Config extends z.ZodObject>(meter: Meter<Config>): Meter<Config> {
  return meter;
}

/** How far back a target looks where no rule says. */
export function defaultWindowSeconds({
  meter,
  config,
}: {
  meter: Meter;
  config: Record<string, unknown>;
}): number {
  return meter.windowSeconds?.(config) ?? 300;
}
