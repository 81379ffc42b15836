import type { TimedReading } from "../../meters/meter.ts";
import { listRollups, type Rollup } from "../../store/engine/roll-ups.ts";
import { listRecentSamples } from "../../store/engine/samples.ts";
import type { Db } from "../../store/open-store.ts";
import { toReading } from "./reading-of-sample.ts";
import { Series } from "./series.ts";

/** The span that is read as raw samples; roll-ups lag by much less than this. */
const rawSeconds = 2 * 3600;
/** The maximum of raw samples per series. */
const maxRaw = 5_000;
const minuteSeconds = 60;
/** The maximum of minute or hour roll-ups that one query reads. */
const maxRollups = 200_000;

/**
 * Reads series from the store: recent readings as raw samples and older ones as roll-ups. A long window on a busy contract
 * would otherwise be millions of rows.
 */
export async function readStoredSeries(
  db: Db,
  ids: string[],
  { after, now }: { after: number; now: number },
): Promise<Map<string, Series>> {
  const recent = await readRecent(db, ids, now);
  const until = Math.max(...[...recent.values()].map(({ from }) => from));
  const series = new Map(ids.map((id) => [id, new Series(now - after)]));
  for (const rollup of await readRollups(db, ids, { after, until })) {
    if (rollup.time < (recent.get(rollup.series_id)?.from ?? 0)) series.get(rollup.series_id)?.add(rollup);
  }
  for (const [id, { readings }] of recent) for (const reading of readings) series.get(id)?.add(reading);
  return series;
}

type Recent = { from: number; readings: TimedReading[] };

/** Reads the newest samples of each series and the time from which they are complete: a whole minute, as roll-ups end with one. */
async function readRecent(db: Db, ids: string[], now: number): Promise<Map<string, Recent>> {
  const from = Math.floor((now - rawSeconds) / minuteSeconds) * minuteSeconds;
  const rows = await listRecentSamples(db, ids, { after: from - 1, limit: maxRaw });
  const groups = Map.groupBy(rows, ({ series_id }) => series_id);
  return new Map(
    ids.map((id) => {
      const readings = (groups.get(id) ?? []).map(toReading);
      const first = readings[0]?.time ?? from;
      // If the limit cut samples off, the first minute is incomplete.
      const isCut = readings.length >= maxRaw;
      const start = isCut ? (Math.floor(first / minuteSeconds) + 1) * minuteSeconds : from;
      return [id, { from: start, readings: readings.filter(({ time }) => time >= start) }];
    }),
  );
}

/**
 * Reads the roll-ups of series between two times, oldest first: minutes as far back as they are kept, hours before that.
 * A roll-up is dated at the last second of its span.
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
  return [...hours.map((hour) => toRolled(hour, 3600)), ...minutes.map((minute) => toRolled(minute, 60))];
}

function toRolled({ series_id, time, count, sum, min, max, last }: Rollup, width: number) {
  const rolled = { count, sum, min, max };
  return { series_id, height: 0, time: time + width - 1, value: last, rolled, tx_hash: null, position: null };
}
