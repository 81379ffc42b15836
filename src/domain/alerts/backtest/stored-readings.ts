import type { App } from "../../../app.ts";
import { flatMapInSlices } from "../../../lib/concurrency/in-slices.ts";
import type { TimedReading } from "../../../meters/meter.ts";
import {
  downsample,
  findStoredMatch,
  groupOf,
  lookbackSeconds,
  readRollups,
  toReading,
  type WatchedRule,
} from "../../../pipeline/index.ts";
import { findOldestSample, listSamplesOf } from "../../../store/engine/samples.ts";

/** The maximum number of samples that one request reads. */
const maxSamples = 200_000;
/** The maximum work of one evaluation, in visited readings: each step visits the whole window. */
const maxEffort = 50_000_000;
/** The widths to which readings are downsampled if there are too many, in seconds. */
const widths = [60, 300, 900, 3600];

type Span = { after: number; until: number };

/** Returns the readings for a backtest, oldest first, at the finest feasible resolution; undefined if none is feasible. */
export async function readingsFor(
  app: App,
  rule: WatchedRule,
  span: Span,
): Promise<TimedReading[] | undefined> {
  const stored = await readStoredFor(app, rule, span);
  if (!stored || effortOf(rule, stored) <= maxEffort) return stored;
  if (!canUseRollups(rule)) return undefined;
  for (const width of widths.filter((width) => width <= rule.condition.window_seconds)) {
    const coarser = downsample(stored, width, span.until);
    if (effortOf(rule, coarser) <= maxEffort) return coarser;
  }
  return undefined;
}

/** Returns the readings for the further conditions of a rule, in their order; undefined if they are too many. */
export async function readingsForOthers(
  app: App,
  rule: WatchedRule,
  { from, until }: { from: number; until: number },
): Promise<TimedReading[][] | undefined> {
  const lists: TimedReading[][] = [];
  for (const { part, target } of rule.others) {
    const alone = { ...rule, ...part, target, isEach: false, matcher: undefined, group_by: undefined };
    const readings = await readingsFor(app, alone, { after: from - lookbackSeconds(alone), until });
    if (!readings) return undefined;
    lists.push(readings);
  }
  return lists;
}

/** Reads samples, or roll-ups where samples are expired or too many. */
async function readStoredFor(
  app: App,
  rule: WatchedRule,
  { after, until }: Span,
): Promise<TimedReading[] | undefined> {
  const { series_id } = rule.target;
  const { matcher } = rule;
  const rows = await listSamplesOf(app.db, series_id, { after, until, limit: maxSamples + 1 });
  const isTooMany = rows.length > maxSamples;
  const hasRollups = !matcher && canUseRollups(rule);
  if (isTooMany && !hasRollups) return undefined;
  const readings = isTooMany ? [] : await flatMapInSlices(rows, (row) => select(toReading(row), rule));
  const oldest = isTooMany ? until : ((await findOldestSample(app.db, series_id)) ?? until);
  // Roll-ups end at a full minute.
  const rawFrom = Math.min(until, Math.floor(oldest / 60) * 60);
  const older = hasRollups ? await readRollups(app.db, [series_id], { after, until: rawFrom }) : [];
  if (older.length > maxSamples) return undefined;
  // Roll-ups are read only for rules without a matcher.
  return [...older, ...readings];
}

/** Leaves out what the rule does not match, and what belongs to none of its groups. */
function select(reading: TimedReading, { matcher, group_by }: WatchedRule): TimedReading[] {
  if (matcher && !findStoredMatch(matcher, reading)) return [];
  if (!group_by) return [reading];
  const group = groupOf(group_by, reading);
  return group === undefined ? [] : [{ ...reading, group }];
}

/** A meter with its own summary of a window needs every reading, and so does a rule that evaluates each one or groups. */
function canUseRollups({ isEach, group_by, condition, target }: WatchedRule): boolean {
  return !isEach && !group_by && !(condition.aggregation === "last" && target.meter.summarise);
}

/** Estimates the work of an evaluation, in visited readings. Ranking costs more than summing, a baseline more than both. */
function effortOf(rule: WatchedRule, readings: TimedReading[]): number {
  if (rule.isEach) return readings.length;
  const { operator, aggregation, window_seconds } = rule.condition;
  const costPerReading = aggregation === "p95" ? 5 : 1;
  const costPerStep = operator === "anomaly" ? (10 * 86_400) / window_seconds : 0;
  const seconds = lookbackSeconds(rule);
  let effort = 0;
  let first = 0;
  for (const [index, { time }] of readings.entries()) {
    while ((readings[first]?.time ?? time) <= time - seconds) first++;
    if (readings[index + 1]?.time !== time) effort += (index - first + 1) * costPerReading + costPerStep;
  }
  return effort;
}
