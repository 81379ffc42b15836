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
  const span = (column: string) =>
    sql`${sql.ref(column)} >= date_trunc(${unit}, ${from}::timestamptz, 'UTC') and ${sql.ref(column)} < ${to}`;
  // What a reorganisation took back leaves no sample behind, and so must leave no sum either.
  await sql`
    delete from ${sql.id(table)} r where ${span("r.at")} and not exists (
      select 1 from samples s where s.series_id = r.series_id
        and s.at >= r.at and s.at < r.at + ${sql.lit(`1 ${unit}`)}::interval)`.execute(db);
  await sql`
    insert into ${sql.id(table)} as r (series_id, org_id, at, count, sum, min, max, last)
    select series_id, org_id, date_trunc(${unit}, at, 'UTC') as bucket, count(*), sum(value), min(value), max(value),
      (array_agg(value order by at desc, height desc, position desc))[1]
    from samples where ${span("at")}
    group by series_id, org_id, bucket
    on conflict (series_id, at) do update set
      count = excluded.count, sum = excluded.sum, min = excluded.min, max = excluded.max, last = excluded.last`.execute(
    db,
  );
}

/** When the latest raw sample since a time was taken. */
export async function findNewestSample(db: Db, since: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ newest: Date | null }>`
    select max(at) as newest from samples where at >= ${since}`.execute(db);
  return rows[0]?.newest ?? undefined;
}
