import type { App } from "../../app.ts";
import { chainOf } from "../../chains/index.ts";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import { offloadFor } from "../../lib/concurrency/worker-pool.ts";
import { defaultWindowSeconds, type TimedReading } from "../../meters/meter.ts";
import {
  aggregate,
  compileContract,
  downsample,
  readRollups,
  Series,
  summariserOf,
  toReading,
  type WatchedTarget,
} from "../../pipeline/index.ts";
import { findTarget } from "../../store/contracts/targets.ts";
import { findCursor } from "../../store/engine/cursors.ts";
import { listSamplesOf } from "../../store/engine/samples.ts";
import { findWatched } from "../../store/engine/watch.ts";
import {
  maxSeriesDays,
  type TargetSeries,
  type TargetSeriesQuery,
} from "../../wire/contracts/target-series.ts";
import type { OrgCaller } from "../caller.ts";

const maxPoints = 1_000;
/** The maximum number of raw samples of a request; beyond it, minute roll-ups are read. */
const maxSamples = 5_000;
/** Up to this many readings, a window is evaluated at each of them. */
const maxExactReadings = 500;
const daySeconds = 24 * 60 * 60;

type Span = { from: number; to: number };
type Point = { time: number; min: number; max: number };

/** Returns the values of a target over time, each aggregated over a window like the value of a rule. */
export async function targetSeries(
  app: App,
  caller: OrgCaller,
  target_id: string,
  query: TargetSeriesQuery,
): Promise<TargetSeries> {
  const row = await findTarget(app.db, caller.org_id, target_id);
  if (!row) throw new AppError("not_found", "There is no such target.");
  const target = await findWatchedTarget(app, caller, row.contract_id, target_id);
  const processed = target && (await findCursor(app.db, target.contract.subject.chain.chain))?.time;
  const span = spanOf(app, query, processed);
  // Beyond the newest processed block, missing readings mean nothing.
  const processedSpan = { from: span.from, to: Math.min(span.to, processed ?? span.to) };
  const points = target ? await pointsOf(app, target, processedSpan, query) : [];
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
  return {
    target_id,
    unit: row.unit,
    from: iso(span.from),
    to: iso(span.to),
    points: points.map(({ time, min, max }) => ({ at: iso(time), min, max })),
  };
}

/** By default up to now, or up to the newest processed block if the clock of the chain is ahead. */
function spanOf(app: App, query: TargetSeriesQuery, processed = 0): Span {
  const seconds = (text: string) => Math.floor(Date.parse(text) / 1000);
  const now = Math.floor(app.clock.now().getTime() / 1000);
  const to = query.to ? seconds(query.to) : Math.max(now, processed);
  const from = query.from ? seconds(query.from) : to - daySeconds;
  const message =
    from >= to
      ? "must be before `to`"
      : to - from > maxSeriesDays * daySeconds && `must be at most ${maxSeriesDays} days before \`to\``;
  if (message) throw new InvalidRequest([{ loc: ["query", "from"], msg: message, type: "value_error" }]);
  return { from, to };
}

/** Undefined for a target that is not measured, because it is disabled or not supported. */
async function findWatchedTarget(app: App, { org_id }: OrgCaller, contract_id: string, target_id: string) {
  const row = await findWatched(app.db, org_id, contract_id);
  const chain = row && chainOf(row.chain);
  if (!chain) return undefined;
  return (await compileContract(chain, row, offloadFor(app.workers, org_id))).targets.find(
    (target) => target.id === target_id,
  );
}

async function pointsOf(
  app: App,
  target: WatchedTarget,
  span: Span,
  query: TargetSeriesQuery,
): Promise<Point[]> {
  const aggregation = query.aggregation ?? (target.meter.isOccurrence ? "each" : target.meter.aggregation);
  const seconds = query.window_seconds ?? defaultWindowSeconds(target);
  if (aggregation === "each") {
    const readings = await readReadings(app, target, span);
    return thin(
      readings.map(({ time, value, rolled }) => ({
        time,
        min: rolled?.min ?? value,
        max: rolled?.max ?? value,
      })),
      span,
    );
  }
  const readings = await readReadings(app, target, { from: span.from - seconds, to: span.to });
  const series = new Series(span.to - span.from + seconds);
  for (const reading of readings) series.add(reading);
  const summarise = summariserOf({ target });
  const points = timesOf(readings, span, seconds).flatMap((time) => {
    const value = aggregate(aggregation, series.between(time - seconds, time), seconds, summarise);
    return value === null ? [] : [{ time, min: value, max: value }];
  });
  return thin(points, span);
}

/**
 * The times at which windows are evaluated: regularly, at the end, and at each reading if there are few, so that no peak is
 * missed. A window is evaluated at most about ten times otherwise, which bounds the work.
 */
function timesOf(readings: TimedReading[], { from, to }: Span, seconds: number): number[] {
  const [first] = readings;
  if (!first) return [];
  const step = Math.max(60, Math.ceil(seconds / 10));
  const start = Math.max(from, first.time);
  const regular = Array.from(
    { length: Math.floor((to - start) / step) + 1 },
    (_, index) => start + index * step,
  );
  const exact = readings.length <= maxExactReadings ? readings.map(({ time }) => time) : [];
  const within = [...regular, ...exact, to].filter((time) => time >= start && time <= to);
  return [...new Set(within)].sort((a, b) => a - b);
}

/** Reads raw samples, or minute and hour roll-ups where they are too many or expired, oldest first. */
async function readReadings(
  app: App,
  { series_id }: WatchedTarget,
  { from, to }: Span,
): Promise<TimedReading[]> {
  const rows = await listSamplesOf(app.db, series_id, { after: from, until: to, limit: maxSamples + 1 });
  const raw = rows.length > maxSamples ? [] : rows.map(toReading);
  const until = raw[0] ? Math.floor(raw[0].time / 60) * 60 : to;
  const older = await readRollups(app.db, [series_id], { after: from, until });
  return downsampleBeyond([...older, ...raw], to);
}

function downsampleBeyond(readings: TimedReading[], to: number): TimedReading[] {
  return readings.length > 2 * maxSamples ? downsample(readings, 300, to) : readings;
}

/** Merges neighbouring points until few enough are left. */
function thin(points: Point[], { from, to }: Span): Point[] {
  if (points.length <= maxPoints) return points;
  const width = Math.ceil((to - from + 1) / maxPoints);
  const groups = Map.groupBy(points, ({ time }) => Math.floor((time - from) / width));
  return [...groups.values()].map((group) => ({
    time: (group.at(-1) as Point).time,
    min: Math.min(...group.map(({ min }) => min)),
    max: Math.max(...group.map(({ max }) => max)),
  }));
}
