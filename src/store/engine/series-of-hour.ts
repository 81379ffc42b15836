import { sql } from "kysely";
import type { Db } from "../open-store.ts";

/** Bounds the time of a statement, whatever the number of series is. */
const seriesPerStatement = 500;
const lowestId = "00000000-0000-0000-0000-000000000000";
const dayMs = 24 * 60 * 60 * 1000;

type Span = { from: Date; to: Date };

/**
 * Lists the next series with samples or roll-ups in an hour, and the last one that was looked at; undefined after the last of
 * all. Skips from series to series in the indexes, by spans that contain whole partitions: the number of samples does not matter.
 */
export async function listSeries(
  tx: Db,
  { from, to }: Span,
  after = lowestId,
): Promise<{ series_ids: string[]; last: string | undefined }> {
  const { rows } = await sql<{ series_id: string; is_in_hour: boolean }>`
    with recursive series as (
      select ${after}::uuid as series_id
      union all
      select (select n.series_id from (
        (${nextSeries("samples", dayOf(from))}) union all (${nextSeries("samples_minute", monthOf(from))})) n
        order by 1 limit 1)
      from series where series.series_id is not null)
    select series_id,
      exists (select 1 from samples s where s.series_id = series.series_id and s.at >= ${from} and s.at < ${to})
      or exists (select 1 from samples_minute m where m.series_id = series.series_id and m.at >= ${from} and m.at < ${to})
      as is_in_hour
    from series where series_id > ${after}::uuid limit ${seriesPerStatement}`.execute(tx);
  const series_ids = rows.filter((row) => row.is_in_hour).map(({ series_id }) => series_id);
  return { series_ids, last: rows.length < seriesPerStatement ? undefined : rows.at(-1)?.series_id };
}

function nextSeries(table: "samples" | "samples_minute", { from, to }: Span) {
  return sql`
    select series_id from ${sql.id(table)}
    where series_id > series.series_id and at >= ${from} and at < ${to} order by series_id limit 1`;
}

function dayOf(time: Date): Span {
  const from = new Date(time);
  from.setUTCHours(0, 0, 0, 0);
  return { from, to: new Date(from.getTime() + dayMs) };
}

function monthOf(time: Date): Span {
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()];
  return { from: new Date(Date.UTC(year, month, 1)), to: new Date(Date.UTC(year, month + 1, 1)) };
}
