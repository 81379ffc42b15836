import type { Activity } from "../../chains/activity.ts";
import type { Pause } from "../../lib/concurrency/pauses.ts";
import { callReading } from "../../meters/evidence.ts";
import type { Reading, TimedReading } from "../../meters/meter.ts";
import type { BlockPoint } from "../block-point.ts";
import type { FreshReading } from "../evaluate/occurrences.ts";
import type { EngineState } from "../watch/engine-state.ts";
import {
  seriesIdOf,
  seriesKey,
  type WatchedContract,
  type WatchedRule,
  type WatchedTarget,
} from "../watch/watch-list.ts";
import { ComparisonBudget, countOf } from "./comparison-budget.ts";
import { findUnread, type Unread } from "./find-unread.ts";
import { groupOf } from "./group-of.ts";
import { limitEvidence } from "./limit-evidence.ts";
import { findMatch, type Matcher } from "./match.ts";
import { observedTransaction } from "./observed-transaction.ts";
import { type FoundReadings, limitReadings } from "./reading-budget.ts";
import { readingsOf } from "./readings-of.ts";

/** A reading and its series. */
export type Sample = { series_id: string; org_id: string; reading: TimedReading };

/** The measurements of a block: the samples, and the rules to evaluate for them. */
export type Measured = {
  samples: Sample[];
  /** Rules over a window that ends at the block. */
  rules: Set<WatchedRule>;
  /** The new readings of rules that evaluate each one individually. */
  fresh: Map<WatchedRule, FreshReading[]>;
  /** Readings of groups of rules, to be added when the groups are in memory. */
  grouped: GroupReading[];
  /** What was not seen completely, by target. */
  unread: Map<WatchedTarget, Unread>;
};

type GroupReading = { rule: WatchedRule; group: string; reading: Reading };

export function nothingMeasured(): Measured {
  return { samples: [], rules: new Set(), fresh: new Map(), grouped: [], unread: new Map() };
}

/** The engine state and the block that is measured; results are added to `measured`. */
export type Measuring = { engine: EngineState; block: BlockPoint & { hash: string }; measured: Measured };

type FoundInActivity = FoundReadings & { activity: Activity };

/**
 * Runs the meters of the contracts that had activity in the block, and adds the samples to their series, except those of
 * groups. All is found before anything is added, because what an organisation may store is shared by its targets.
 */
export async function measureActivity(
  measuring: Measuring,
  touched: Map<WatchedContract, Activity>,
  pause: Pause,
): Promise<void> {
  const budget = new ComparisonBudget(touched);
  const foundByTarget: FoundInActivity[] = [];
  for (const [contract, activity] of touched) {
    for (const target of contract.targets) {
      await pause();
      foundByTarget.push(await findReadings(measuring, { target, activity, budget }, pause));
    }
  }
  const { unread } = measuring.measured;
  for (const [target, counts] of limitReadings(foundByTarget))
    unread.set(target, { unread: "readings", ...counts });
  for (const foundInActivity of foundByTarget) await addReadings(measuring, foundInActivity, pause);
}

type InActivity = { target: WatchedTarget; activity: Activity; budget: ComparisonBudget };

/** Finds the readings of a target, and those of its rules that do not count all of them. */
async function findReadings(
  { engine, block, measured }: Measuring,
  { target, activity, budget }: InActivity,
  pause: Pause,
): Promise<FoundInActivity> {
  const limited = (source: WatchedTarget | WatchedRule) => {
    const seen = budget.limit(target.contract.org_id, source, activity);
    const [found, counted] = [countOf(activity), countOf(seen)];
    if (counted < found) measured.unread.set(target, { unread: "comparisons", found, counted });
    return seen;
  };
  const unread = findUnread(target, activity);
  if (unread) measured.unread.set(target, unread);
  const ofTarget = await readingsOf(target, limited(target), engine.newest(target.series_id), pause);
  const ofRules: FoundReadings["ofRules"] = new Map();
  for (const rule of target.rules) {
    if (engine.precedes(block, rule)) continue;
    if (rule.matcher)
      ofRules.set(
        rule,
        await matchesOf(rule, rule.matcher, { activity, seen: limited(rule), ofTarget }, pause),
      );
    else if (rule.group_by) ofRules.set(rule, [...ofTarget]);
  }
  return { target, activity, ofTarget, ofRules };
}

async function addReadings(
  measuring: Measuring,
  { target, activity, ofTarget, ofRules }: FoundInActivity,
  pause: Pause,
): Promise<void> {
  const { engine, block } = measuring;
  const { series_id, contract } = target;
  const fresh: FreshReading[] = [];
  for (const reading of ofTarget) {
    await pause();
    fresh.push(addSample(measuring, { series_id, org_id: contract.org_id, reading }));
  }
  for (const rule of target.rules) {
    if (engine.precedes(block, rule)) continue;
    const readings = ofRules.get(rule);
    if (readings) await addToOwnSeries(measuring, rule, { activity, readings }, pause);
    else if (fresh.length > 0) addToRule(measuring, rule, fresh);
  }
  if (fresh.length > 0) addToObservers(measuring, target);
}

/** Has rules evaluated that have a condition on a target other than their own. */
export function addToObservers({ engine, block, measured }: Measuring, { observers }: WatchedTarget): void {
  // An occurrence is a reading of the rule's own target; others only decide whether it counts.
  for (const rule of observers) if (!rule.isEach && !engine.precedes(block, rule)) measured.rules.add(rule);
}

/** Has a rule evaluated for new readings of its series. */
export function addToRule({ measured }: Measuring, rule: WatchedRule, fresh: readonly FreshReading[]): void {
  if (!rule.isEach) return void measured.rules.add(rule);
  const freshReadings = measured.fresh.get(rule) ?? [];
  for (const freshReading of fresh) freshReadings.push(freshReading);
  measured.fresh.set(rule, freshReadings);
}

/** What a rule may see of an activity, and the readings of its target. */
type Seen = { activity: Activity; seen: Activity; ofTarget: readonly Reading[] };

/** Finds the readings that the `match` of a rule leaves. */
async function matchesOf(
  { target }: WatchedRule,
  matcher: Matcher,
  { activity, seen, ofTarget }: Seen,
  pause: Pause,
): Promise<Reading[]> {
  const candidates = target.meter.matchesOn === "transactions" ? transactionsOf(seen, target) : ofTarget;
  const matching: Reading[] = [];
  for (const candidate of candidates) {
    await pause();
    const observed = observedTransaction(seen, candidate);
    if (seen !== activity && !observed.call && observed.events.length === 0) continue;
    const match = await findMatch(matcher, observed, pause);
    if (!match) continue;
    const evidence = match === "transaction" ? candidate.evidence : { ...candidate.evidence, decoded: match };
    matching.push({ ...candidate, ...(evidence && { evidence }) });
  }
  return matching;
}

/** Adds readings to the series of a rule that does not count all of its target. */
async function addToOwnSeries(
  measuring: Measuring,
  rule: WatchedRule,
  { activity, readings }: { activity: Activity; readings: readonly Reading[] },
  pause: Pause,
): Promise<void> {
  const { org_id } = rule.target.contract;
  const series_id = seriesIdOf(rule);
  for (const reading of readings) {
    await pause();
    if (rule.group_by) addToGroup(measuring, rule, reading, activity);
    else addToRule(measuring, rule, [addSample(measuring, { series_id, org_id, reading })]);
  }
}

function addToGroup({ measured }: Measuring, rule: WatchedRule, reading: Reading, activity: Activity): void {
  const sender = observedTransaction(activity, reading).transaction?.from;
  const group = rule.group_by && groupOf(rule.group_by, reading, sender);
  if (group !== undefined) measured.grouped.push({ rule, group, reading: { ...reading, group } });
}

/** Adds the readings of groups, each of which has a state and a series of its own. */
export async function addGroupReadings(measuring: Measuring, pause: Pause): Promise<void> {
  const { engine, measured } = measuring;
  for (const { rule, group, reading } of measured.grouped) {
    await pause();
    engine.states.groups.see(rule.id, group);
    const sample = { series_id: seriesIdOf(rule), org_id: rule.target.contract.org_id, reading };
    addToRule(measuring, engine.watchList.group(rule, group), [addSample(measuring, sample)]);
  }
}

/** Adds a reading to its series in memory and to the samples that the block writes. Returns it with the one before. */
export function addSample(
  { engine, block: { height, time, hash }, measured }: Measuring,
  { series_id, org_id, reading }: Omit<Sample, "reading"> & { reading: Reading },
): FreshReading {
  const timed = { ...reading, ...limitEvidence(engine, org_id, time, reading), height, time };
  const series = engine.series(seriesKey(series_id, reading.group));
  const previous = series.newest;
  series.add(timed);
  series.trim(time);
  measured.samples.push({ series_id, org_id, reading: timed });
  return { reading: timed, previous, block_hash: hash };
}

/** Returns one reading per transaction that counts for the target, in transaction order. */
function transactionsOf(activity: Activity, { contract, meter, config }: WatchedTarget): Reading[] {
  const order = new Map<string, number>();
  const ownEvents = activity.events.filter((event) => event.address === contract.subject.address);
  for (const { tx_hash, tx_index } of [...activity.calls, ...ownEvents]) order.set(tx_hash, tx_index);
  const calls = new Map(activity.calls.map((call) => [call.tx_hash, call]));
  return [...order]
    .sort(([, a], [, b]) => a - b)
    .filter(([tx_hash]) => meter.counts?.(config, calls.get(tx_hash)) ?? true)
    .map(([tx_hash]) => {
      const call = calls.get(tx_hash);
      return call ? callReading(call, 1) : { value: 1, tx_hash, position: null };
    });
}
