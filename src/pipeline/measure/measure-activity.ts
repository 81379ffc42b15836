import type { Activity } from "../../chains/activity.ts";
import { callReading } from "../../meters/evidence.ts";
import type { Reading, TimedReading } from "../../meters/meter.ts";
import type { EngineState } from "../watch/engine-state.ts";
import {
  seriesIdOf,
  type WatchedContract,
  type WatchedRule,
  type WatchedTarget,
} from "../watch/watch-list.ts";
import { findMatch, type Matcher, type ObservedTransaction } from "./match.ts";

/** A reading and the series that it belongs to. */
export type Sample = { series_id: string; org_id: string; reading: TimedReading };

/** What a block measured: the samples, and the rules that they may move. */
export type Measured = { samples: Sample[]; rules: Set<WatchedRule> };

type Moment = { height: number; time: number };

/** Reads the meters that look at what happened. Samples are in memory from here on. */
export function measureActivity(
  engine: EngineState,
  moment: Moment,
  touched: Map<WatchedContract, Activity>,
  measured: Measured,
): void {
  for (const [contract, activity] of touched) {
    for (const target of contract.targets) measureTarget(engine, moment, target, activity, measured);
  }
}

function measureTarget(
  engine: EngineState,
  moment: Moment,
  target: WatchedTarget,
  activity: Activity,
  measured: Measured,
): void {
  const { meter, config, contract } = target;
  const readings = meter.measure?.(config, activity, contract.subject, engine.newest(target.series_id)) ?? [];
  for (const reading of readings)
    addSample(engine, moment, target.series_id, contract.org_id, reading, measured);
  for (const rule of target.rules) {
    if (rule.matcher) measureMatches(engine, moment, rule, rule.matcher, activity, readings, measured);
    else if (readings.length > 0) measured.rules.add(rule);
  }
}

function measureMatches(
  engine: EngineState,
  moment: Moment,
  rule: WatchedRule,
  matcher: Matcher,
  activity: Activity,
  readings: Reading[],
  measured: Measured,
): void {
  const { contract, meter } = rule.target;
  const candidates =
    meter.counts === "transactions" ? transactionsOf(activity, contract.subject.address) : readings;
  for (const reading of candidates) {
    const match = findMatch(matcher, observedTransaction(activity, reading));
    if (!match) continue;
    const evidence = match === "transaction" ? reading.evidence : { ...reading.evidence, decoded: match };
    const sample = { ...reading, ...(evidence && { evidence }) };
    addSample(engine, moment, seriesIdOf(rule), contract.org_id, sample, measured);
    measured.rules.add(rule);
  }
}

/** Puts a reading into its series, in memory and among what the block will write. */
export function addSample(
  engine: EngineState,
  { height, time }: Moment,
  series_id: string,
  org_id: string,
  reading: Reading,
  measured: Measured,
): void {
  const timed = { ...reading, height, time };
  const series = engine.series(series_id);
  series.add(timed);
  series.trim(time);
  measured.samples.push({ series_id, org_id, reading: timed });
}

/** One reading for each transaction that called the contract or made it emit something, in their order. */
function transactionsOf(activity: Activity, address: string): Reading[] {
  const order = new Map<string, number>();
  const own = activity.events.filter((event) => event.address === address);
  for (const { tx_hash, tx_index } of [...activity.calls, ...own]) order.set(tx_hash, tx_index);
  const calls = new Map(activity.calls.map((call) => [call.tx_hash, call]));
  return [...order]
    .sort(([, a], [, b]) => a - b)
    .map(([tx_hash]) => {
      const call = calls.get(tx_hash);
      return call ? callReading(call, 1) : { value: 1, tx_hash, position: null };
    });
}

/** What a reading comes from: its log alone where it names one, otherwise everything of its transaction. */
function observedTransaction(activity: Activity, reading: Reading): ObservedTransaction {
  const isOwn = ({ tx_hash }: { tx_hash: string }) => tx_hash === reading.tx_hash;
  const direct = activity.calls.find(isOwn);
  const call = direct ?? activity.internal?.find(isOwn);
  const events = activity.events.filter(
    (one) => isOwn(one) && (reading.position === null || one.position === reading.position),
  );
  return { call, events, transaction: direct ?? transactionAround(activity, call ?? events[0]) };
}

/** The transaction in which something happened that was not its own call. */
function transactionAround(
  { transactions = [] }: Activity,
  part: { tx_index: number } | undefined,
): ObservedTransaction["transaction"] {
  const around = part && transactions[part.tx_index];
  return around && { ...around, tx_hash: around.hash, tx_index: around.index };
}
