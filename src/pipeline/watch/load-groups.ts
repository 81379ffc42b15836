import {
  listGroupSamples,
  listLatestGroups,
  type SeriesGroup,
  type SeriesSpan,
} from "../../store/engine/group-samples.ts";
import { listStatesOfGroups } from "../../store/engine/rule-states.ts";
import type { SampleRow } from "../../store/engine/samples.ts";
import type { Db } from "../../store/open-store.ts";
import type { BlockPoint } from "../block-point.ts";
import { canFireByTime } from "../evaluate/next-due.ts";
import type { EngineState } from "./engine-state.ts";
import { lookbackSeconds } from "./lookback.ts";
import { toReading } from "./reading-of-sample.ts";
import { ruleKey } from "./rule-groups.ts";
import { seriesIdOf, seriesKey, type WatchedRule } from "./watch-list.ts";

/** The store, and the heights up to which its samples and states belong to the branch that is processed. */
export type StoredGroups = { db: Db; samplesUpTo: number; statesUpTo: number };

type Wanted = { rule: WatchedRule; group: string };

/**
 * Loads the evicted groups that a block concerns: those with new readings, and those that may fire because a reading leaves their
 * window. `before` is the time of the block before.
 */
export async function loadGroupsOf(
  stored: StoredGroups,
  engine: EngineState,
  block: BlockPoint,
  { before, seen }: { before: number; seen: readonly Wanted[] },
): Promise<void> {
  if (engine.states.groups.partial.size === 0) return;
  const leaving = await findLeaving(stored, engine, block, before);
  await loadGroups(stored, engine, [...seen, ...leaving], before);
}

/** Loads those of the groups that are not in memory, with the readings that a window at a block time may reach. */
export async function loadGroups(
  { db, samplesUpTo, statesUpTo }: StoredGroups,
  engine: EngineState,
  wanted: readonly Wanted[],
  time: number,
): Promise<void> {
  const missing = new Map(
    wanted
      .filter(({ rule, group }) => engine.isEvicted(rule, group))
      .map((entry) => [ruleKey(entry.rule.id, entry.group), entry]),
  );
  if (missing.size === 0) return;
  const groups = [...missing.values()].map(({ rule, group }) => ({
    rule_id: rule.id,
    series_id: seriesIdOf(rule),
    group,
    after: time - lookbackSeconds(rule) - engine.slackSeconds,
  }));
  const states = await listStatesOfGroups(db, groups, statesUpTo);
  addSamples(engine, await listGroupSamples(db, groups, samplesUpTo));
  for (const { rule_id, group, state } of states) engine.states.set(ruleKey(rule_id, group), state);
  for (const { rule, group } of missing.values()) engine.schedule(engine.watchList.group(rule, group), time);
}

/** A group is due when its oldest reading leaves the window, and when the rule has existed for a whole one. */
async function findLeaving(
  { db, samplesUpTo }: StoredGroups,
  engine: EngineState,
  { time }: BlockPoint,
  before: number,
): Promise<Wanted[]> {
  const rules = new Map<string, WatchedRule>();
  const spans: SeriesSpan[] = [];
  for (const rule_id of engine.states.groups.partial) {
    const rule = engine.watchList.rule(rule_id);
    if (!rule || !canFireByTime(rule)) continue;
    const { window_seconds } = rule.condition;
    const isWhole = before < rule.since + window_seconds && rule.since + window_seconds <= time;
    const series_id = seriesIdOf(rule);
    rules.set(series_id, rule);
    const after = before - window_seconds;
    // All groups are due when the rule has observed a whole window. Beyond the latest ones, each waits for its next reading to
    // leave.
    spans.push(
      isWhole
        ? { series_id, after, until: time, limit: engine.maxGroups }
        : { series_id, after, until: time - window_seconds, limit: null },
    );
  }
  const groupRows = await listLatestGroups(db, spans, samplesUpTo);
  return groupRows.map(({ series_id, group }) => ({ rule: rules.get(series_id) as WatchedRule, group }));
}

/** Loads the groups of rules when their contracts are loaded: the latest ones, and those that are pending or firing. */
export async function fillGroups(
  db: Db,
  engine: EngineState,
  rules: readonly WatchedRule[],
  position: BlockPoint,
): Promise<void> {
  if (rules.length === 0) return;
  const afterOf = (rule: WatchedRule) => position.time - lookbackSeconds(rule) - engine.slackSeconds;
  const spans = rules.map((rule) => ({
    series_id: seriesIdOf(rule),
    after: afterOf(rule),
    until: Number.POSITIVE_INFINITY,
    limit: engine.maxGroups + 1,
  }));
  const latest = await listLatestGroups(db, spans, position.height);
  const bySeries = Map.groupBy(latest, ({ series_id }) => series_id);
  const kept = rules.flatMap((rule) => keptGroups(engine, rule, bySeries.get(seriesIdOf(rule)) ?? []));
  const wanted = kept.map(({ rule, group }) => ({
    series_id: seriesIdOf(rule),
    group,
    after: afterOf(rule),
  }));
  addSamples(engine, await listGroupSamples(db, wanted, position.height));
  // The latest last, as if they had been seen in this order.
  for (const { rule, group } of kept.toReversed()) engine.states.groups.see(rule.id, group);
  // States were loaded before, maybe of more groups than may stay.
  for (const { id } of rules) engine.states.groups.grown.add(id);
}

/** Returns the groups of a rule to load. If there are too many, those that are quiet and not among the latest stay in the store. */
function keptGroups(engine: EngineState, rule: WatchedRule, latest: readonly SeriesGroup[]): Wanted[] {
  const { groups } = engine.states;
  const names = latest.map(({ group }) => group);
  if (names.length <= engine.maxGroups) return names.map((group) => ({ rule, group }));
  const kept = new Set([...names.slice(0, engine.maxGroups), ...groups.activeOf(rule.id)]);
  groups.partial.add(rule.id);
  for (const group of [...groups.of(rule.id)]) if (!kept.has(group)) engine.evictGroup(rule, group);
  return [...kept].map((group) => ({ rule, group }));
}

function addSamples(engine: EngineState, rows: readonly SampleRow[]): void {
  const older = Map.groupBy(rows, ({ series_id, evidence }) => seriesKey(series_id, evidence.group));
  for (const [key, part] of older) engine.series(key).addOlder(part.map(toReading));
}
