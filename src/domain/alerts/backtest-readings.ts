import type { App } from "../../app.ts";
import type { TimedReading } from "../../meters/meter.ts";
import {
  downsample,
  findStoredMatch,
  lookbackSeconds,
  readRollups,
  toReading,
  type WatchedRule,
} from "../../pipeline/index.ts";
import { findOldestSample, listSamplesOf } from "../../store/engine/samples.ts";

/** More is not read while somebody waits. */
const maxSamples = 200_000;
/** More would take too long to judge, in readings looked at: a rule looks at its whole window each time. */
const maxEffort = 50_000_000;
/** What readings are taken together by, in seconds, where they are too many for the window. */
const widths = [60, 300, 900, 3600];

type Span = { after: number; until: number };

/** What a rule is to be judged on, oldest first, as finely as can be done in time; undefined when it cannot. */
export async function readingsFor(
  app: App,
  rule: WatchedRule,
  span: Span,
): Promise<TimedReading[] | undefined> {
  const stored = await readStoredFor(app, rule, span);
  if (!stored || effortOf(rule, stored) <= maxEffort) return stored;
  if (!canUseSums(rule)) return undefined;
  for (const width of widths.filter((one) => one <= rule.condition.window_seconds)) {
    const coarser = downsample(stored, width, span.until);
    if (effortOf(rule, coarser) <= maxEffort) return coarser;
  }
  return undefined;
}

/** What was measured; where it is kept only as sums, or is too much to read one by one, as sums. */
async function readStoredFor(
  app: App,
  rule: WatchedRule,
  { after, until }: Span,
): Promise<TimedReading[] | undefined> {
  const { series_id } = rule.target;
  const { matcher } = rule;
  const rows = await listSamplesOf(app.db, series_id, { after, until, limit: maxSamples + 1 });
  const isTooMuch = rows.length > maxSamples;
  const hasSums = !matcher && canUseSums(rule);
  if (isTooMuch && !hasSums) return undefined;
  const readings = isTooMuch ? [] : rows.map(toReading);
  const oldest = isTooMuch ? until : ((await findOldestSample(app.db, series_id)) ?? until);
  // Sums end with a whole minute.
  const rawFrom = Math.min(until, Math.floor(oldest / 60) * 60);
  const older = hasSums ? await readRollups(app.db, [series_id], { after, until: rawFrom }) : [];
  if (older.length > maxSamples) return undefined;
  return [...older, ...readings].filter((reading) => !matcher || findStoredMatch(matcher, reading));
}

/** A meter with a sense of its own for a window needs every reading in it. */
function canUseSums({ condition, target }: WatchedRule): boolean {
  return !(condition.aggregation === "last" && target.meter.summarise);
}

/** Roughly what judging takes, in readings looked at. Ranking costs more than adding up, a baseline more than either. */
function effortOf(rule: WatchedRule, readings: TimedReading[]): number {
  const { operator, aggregation, window_seconds } = rule.condition;
  const ofReading = aggregation === "p95" ? 5 : 1;
  const ofLook = operator === "anomaly" ? (10 * 86_400) / window_seconds : 0;
  const seconds = lookbackSeconds(rule);
  let effort = 0;
  let first = 0;
  for (const [index, { time }] of readings.entries()) {
    while ((readings[first]?.time ?? time) <= time - seconds) first++;
    if (readings[index + 1]?.time !== time) effort += (index - first + 1) * ofReading + ofLook;
  }
  return effort;
}
