import { sql } from "kysely";
import type { Db } from "./open.ts";

/** Sums raw samples up by the minute and the hour, for a span whose partitions exist. Doing it again changes nothing. */
export async function rollUpSamples(db: Db, from: Date, to: Date): Promise<void> {
  await rollUp(db, "samples_minute", "minute", from, to);
  await rollUp(db, "samples_hour", "hour", from, to);
}

async function rollUp(
  db: Db,
  table: "samples_minute" | "samples_hour",
  unit: "minute" | "hour",
  from: Date,
  to: Date,
): Promise<void> {
  await sql`
    insert into ${sql.id(table)} as r (series_id, org_id, at, count, sum, min, max, last)
    select series_id, org_id, date_trunc(${unit}, at, 'UTC') as bucket, count(*), sum(value), min(value), max(value),
      (array_agg(value order by at desc, height desc, position desc))[1]
    from samples where at >= date_trunc(${unit}, ${from}::timestamptz, 'UTC') and at < ${to}
    group by series_id, org_id, bucket
    on conflict (series_id, at) do update set
      count = excluded.count, sum = excluded.sum, min = excluded.min, max = excluded.max, last = excluded.last`.execute(
    db,
  );
}

/** The earliest and the latest raw sample since a time. */
export async function findSampleSpan(db: Db, since: Date): Promise<{ from: Date; to: Date } | undefined> {
  const { rows } = await sql<{ from: Date | null; to: Date | null }>`
    select min(at) as from, max(at) as to from samples where at >= ${since}`.execute(db);
  const { from, to } = rows[0] ?? {};
  return from && to ? { from, to } : undefined;
}
