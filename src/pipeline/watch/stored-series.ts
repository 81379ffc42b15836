import type { TimedReading } from "../../meters/meter.ts";
import { listRollups, type Rollup } from "../../store/engine/roll-ups.ts";
import { listRecentSamples } from "../../store/engine/samples.ts";
import type { Db } from "../../store/open-store.ts";
import { toReading } from "./load-state.ts";
import { Series } from "./series.ts";

/** How much is read as it is; sums are up to date long before. */
const rawSeconds = 2 * 3600;
/** Of one series. */
const maxRaw = 5_000;
const minuteSeconds = 60;
/** More than this of one kind of sums is not read at once. */
const maxRollups = 200_000;

/**
 * Series as far back as is asked for: the last readings as they are, and what was before as sums, so that a long window
 * on a busy contract is not millions of rows.
 */
export async function readStoredSeries(
  db: Db,
  ids: string[],
  { after, now }: { after: number; now: number },
): Promise<Map<string, Series>> {
  const recent = await readRecent(db, ids, now);
  const until = Math.max(...[...recent.values()].map(({ from }) => from));
  const series = new Map(ids.map((id) => [id, new Series(now - after)]));
  for (const sums of await readRollups(db, ids, { after, until })) {
    if (sums.time < (recent.get(sums.series_id)?.from ?? 0)) series.get(sums.series_id)?.add(sums);
  }
  for (const [id, { readings }] of recent) for (const reading of readings) series.get(id)?.add(reading);
  return series;
}

type Recent = { from: number; readings: TimedReading[] };

/** The last readings of each series, and from when on they are all there: from a whole minute, as sums end with one. */
async function readRecent(db: Db, ids: string[], now: number): Promise<Map<string, Recent>> {
  const from = Math.floor((now - rawSeconds) / minuteSeconds) * minuteSeconds;
  const rows = await listRecentSamples(db, ids, { after: from - 1, limit: maxRaw });
  const groups = Map.groupBy(rows, ({ series_id }) => series_id);
  return new Map(
    ids.map((id) => {
      const readings = (groups.get(id) ?? []).map(toReading);
      const first = readings[0]?.time ?? from;
      // Where there are more than are read, the minute of the first of them is not whole.
      const isCut = readings.length >= maxRaw;
      const start = isCut ? (Math.floor(first / minuteSeconds) + 1) * minuteSeconds : from;
      return [id, { from: start, readings: readings.filter(({ time }) => time >= start) }];
    }),
  );
}

/**
 * What is known of series between two times from sums alone: minutes as far back as there are any, hours before that.
 * Oldest first. A sum stands at the last second of its span.
 */
export async function readRollups(
  db: Db,
  series_ids: string[],
  { after, until }: { after: number; until: number },
): Promise<(TimedReading & { series_id: string })[]> {
  if (until <= after) return [];
  const minutes = await listRollups(db, "samples_minute", series_ids, { after, until, limit: maxRollups });
  const oldest = minutes[0]?.time ?? until;
  const before = { after, until: oldest, limit: maxRollups };
  const hours = await listRollups(db, "samples_hour", series_ids, before);
  return [...hours.map((sums) => toRolled(sums, 3600)), ...minutes.map((sums) => toRolled(sums, 60))];
}

function toRolled({ series_id, time, count, sum, min, max, last }: Rollup, width: number) {
  const rolled = { count, sum, min, max };
  return { series_id, height: 0, time: time + width - 1, value: last, rolled, tx_hash: null, position: null };
}
