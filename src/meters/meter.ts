import type { z } from "zod";
import type { Activity, Call, Subject } from "../chains/activity.ts";
import type { Read, ReadResult } from "../chains/block.ts";
import type { Chain } from "../chains/chain.ts";
import type { CanonicalItem } from "../chains/evm/abi/signature.ts";
import type { EventFilter } from "../chains/reading-plan.ts";
import type { Baseline } from "../lib/anomaly/baseline.ts";
import type { Words } from "./words.ts";

export type Aggregation = "last" | "avg" | "min" | "max" | "sum" | "count" | "rate" | "p95";

/** The operators that can be applied to a single reading, as the aggregation `each` does. */
export const eachOperators: ReadonlySet<string> = new Set(
  "gt gte lt lte eq neq between outside changed".split(" "),
);

/** A kind of chain data that a meter reads. */
export const needs = ["state", "logs", "transactions", "receipts", "traces"] as const;
export type Need = (typeof needs)[number];

/** One measured value with its evidence. */
export type Reading = {
  value: number;
  /** The transaction that caused the reading; null for a state read. */
  tx_hash: string | null;
  /** The position of the log within the transaction; null for the transaction as a whole. */
  position: number | null;
  log_index?: number;
  /** Identifies what is counted only once, such as a sender. */
  subject?: string;
  /** The group of a rule that evaluates each group individually. */
  group?: string;
  /** Shown in the alert's explanation and compared with by the next reading. */
  evidence?: Record<string, unknown>;
};

/** Why there is no reading. `isUnsupported`: the contract is not what the meter measures, so that retries are in vain. */
export type Problem = { problem: string; isUnsupported?: true };

/** A reading with the height and time of its block. */
export type TimedReading = Reading & {
  height: number;
  time: number;
  /** Present if this is a roll-up of several readings; `value` is then the last of them. */
  rolled?: { count: number; sum: number; min: number; max: number };
};

/** Returns the number of readings that a reading or roll-up represents. */
export function countOf({ rolled }: TimedReading): number {
  return rolled?.count ?? 1;
}

/** Returns the sum of the readings that a reading or roll-up represents. */
export function sumOf({ rolled, value }: TimedReading): number {
  return rolled?.sum ?? value;
}

/** What the text of an event can say. */
export type Occasion = {
  /** The reading that made the rule fire; undefined when only time passed. */
  reading: TimedReading | undefined;
  /** The reading before it; undefined where none is known. */
  previous?: TimedReading | undefined;
  /** The value that the rule compared with its threshold. */
  value: number;
  /** True if the event is about the reading alone, not about a window. */
  isEach: boolean;
  aggregation: Aggregation;
  window_seconds: number;
  words: Words;
};

/**
 * The code that measures one target type. It receives plain data and has no access to the store or an endpoint. It is
 * deterministic: replaying a chain yields the same readings.
 */
export type Meter<Config extends z.ZodObject = z.ZodObject> = {
  /** The `target_type` on the wire. Never renamed. */
  type: string;
  /**
   * The default name of a target. Do not change the title of a `many` type: configurations match unnamed targets by
   * it.
   */
  title: string;
  about: string;
  /** A config that shows how the type is used; none where the empty config is enough. */
  example?: z.input<Config>;
  unit: string;
  /** The unit of a target, where its config or chain says it better than `unit`. */
  unitOf?(config: z.output<Config>, at: Pick<Subject, "chain">): string;
  families: readonly Chain["kind"][];
  /** If set, the type measures what only code has, so that a wallet has nothing to measure. */
  needsCode?: true;
  /** True for a config that a type with `needsCode` can measure on a wallet. */
  isForWallet?(config: z.output<Config>): boolean;
  /** The number of targets of this type per contract. Creating a second one of `one` returns the first. */
  instances: "one" | "many";
  config: Config;
  /** All that a target of this type may need from the chain; only what some target needs is read. */
  needs: readonly Need[];
  /** What a config needs, where that is less than `needs`. */
  needsOf?(config: z.output<Config>): readonly Need[];
  /** The events that a config needs; by default all events of the contract and of its related addresses. */
  events?(config: z.output<Config>, subject: Subject): EventFilter[];
  /**
   * Present if the type itself declares the events that it measures: a rule may name their arguments, and no others. Undefined if
   * a config measures something else.
   */
  declaredEvents?(config: z.output<Config>): readonly CanonicalItem[] | undefined;
  /** Returns why a valid config cannot be measured on a chain family; undefined if it can. */
  configProblem?(config: z.output<Config>, kind?: Chain["kind"]): string | undefined;
  /** The aggregation of rules that do not set one, over a window. */
  aggregation: Aggregation;
  /** If set, readings are things that happen rather than last: a rule evaluates each one by default. */
  isOccurrence?: true;
  /** If set, the value is a setting that rarely changes: a rule on `changed` makes an event of each change by default. */
  isSetting?: true;
  /** If set, a rule's match sees whole transactions, including those that only made the contract emit an event. */
  matchesOn?: "transactions";
  /** Returns whether a transaction may have logged what counts, on a chain where logs can be cut off. */
  readsLog?(config: z.output<Config>, call: Call): boolean;
  /** Returns whether a transaction may have moved what is measured by an amount that is encrypted. */
  hidesAmount?(config: z.output<Config>, call: Call, subject: Subject): boolean;
  /** Returns whether a transaction counts. Without a call, it only made the contract emit an event. */
  counts?(config: z.output<Config>, call: Call | undefined): boolean;
  /** Returns other addresses whose activity is needed, such as a token that the contract holds. */
  relatedAddresses?(config: z.output<Config>, subject: Subject): string[];
  /**
   * Returns the addresses whose transactions are needed, on a chain that is read by address; by default the contract and its
   * related addresses.
   */
  transactionsOf?(config: z.output<Config>, subject: Subject): string[];
  /** If set, polls of the state find what transactions show, only later: they go on where transactions cannot be followed. */
  pollsAlone?: true;
  /**
   * Returns tokens whose balance at the contract is read: a transfer from or to it changes the state. The vaults of a program
   * hold them.
   */
  heldTokens?(config: z.output<Config>, subject: Subject): string[];
  /** Returns tokens whose transfers are measured: all accounts of the contract are followed, where a holder may have several. */
  followedTokens?(config: z.output<Config>, subject: Subject): string[];
  /** If set, `measure` looks at each call and event individually, so that a block with very many of them is measured in parts. */
  measuresEach?: true;
  /** Returns the readings of one block. `previous` is the newest earlier reading. */
  measure?(
    config: z.output<Config>,
    activity: Activity,
    subject: Subject,
    previous: TimedReading | undefined,
  ): Reading[];
  /** Returns the state reads of one poll. `previous` is the newest earlier reading. */
  reads?(config: z.output<Config>, subject: Subject, previous?: TimedReading): Read[];
  /** Present if events report changes, so that polls are only a check: the seconds between two of them at most. */
  checkSeconds?: number;
  /** The minimum number of seconds between two polls; the polling interval of the org by default. */
  minPollingSeconds?(config: z.output<Config>, previous: TimedReading | undefined): number;
  /** Turns the results of a poll into a reading, or explains why there is none. */
  interpret?(
    config: z.output<Config>,
    results: ReadResult[],
    subject: Subject,
    context: { time: number; height?: number; previous: TimedReading | undefined },
  ): Reading | Problem;
  /** Returns the calls that may have caused a change that a poll found, in order: the state does not say who changed it. */
  causesOf?(activity: Activity, subject: Subject): Call[];
  /** Returns the addresses whose transactions show a change that a poll found; by default the contract. */
  changedAddresses?(subject: Subject, reading: TimedReading): string[];
  /** If set, `interpret` depends on the time or the height of the block: equal results do not give equal readings. */
  dependsOnTime?: true;
  /** The minimum window of `summarise`; 300 seconds by default. */
  windowSeconds?(config: z.output<Config>): number;
  /** Present if `summarise` returns an anomaly score: returns the baseline, which the explanation shows. */
  baseline?(config: z.output<Config>, window: readonly TimedReading[]): Baseline | undefined;
  /** Reduces a window to one value for the aggregation `last`; by default the newest value. Null means no data. */
  summarise?(config: z.output<Config>, window: readonly TimedReading[]): number | null;
  /**
   * Says what happened, to be read after the name of the contract: who did what, from what to what, how much. Undefined where
   * the number with its unit says it.
   */
  describe?(config: z.output<Config>, occasion: Occasion, subject: Subject): string | undefined;
};

export function defineMeter<Config extends z.ZodObject>(meter: Meter<Config>): Meter<Config> {
  return meter;
}

/** Returns what a target with this config needs from the chain. */
export function needsOf(meter: Meter, config: Record<string, unknown>): readonly Need[] {
  return meter.needsOf?.(config) ?? meter.needs;
}

/** Returns the unit of a target with this config on a chain. */
export function unitOn(meter: Meter, config: Record<string, unknown>, chain: Chain): string {
  return meter.unitOf?.(config, { chain }) ?? meter.unit;
}

/** Units of which every reading counts one. */
export const countedUnits: ReadonlySet<string> = new Set(
  "transactions events calls changes proposals instructions callers".split(" "),
);

type PlainCondition = { operator: string; threshold?: number | undefined };

/** Returns the aggregation of a rule that does not set one. A threshold above one counts occurrences over the window. */
export function defaultAggregation(
  {
    isOccurrence,
    isSetting,
    aggregation,
    unit,
  }: Pick<Meter, "isOccurrence" | "isSetting" | "aggregation" | "unit">,
  { operator, threshold = 0 }: PlainCondition,
): Aggregation | "each" {
  if (isSetting && operator === "changed") return "each";
  const countsSeveral = countedUnits.has(unit) && (operator === "gt" ? threshold >= 1 : threshold > 1);
  return isOccurrence && eachOperators.has(operator) && !countsSeveral ? "each" : aggregation;
}

/** The window of a target without rules. */
export function defaultWindowSeconds({
  meter,
  config,
}: {
  meter: Meter;
  config: Record<string, unknown>;
}): number {
  return meter.windowSeconds?.(config) ?? 300;
}
