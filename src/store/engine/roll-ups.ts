import { sql } from "kysely";
import type { Db } from "../open-store.ts";
import { type Expiry, isRetained } from "../orgs/retention-overrides.ts";

/** The aggregate of a minute or an hour of a series. */
export type Rollup = {
  series_id: string;
  /** The beginning of the span, in Unix seconds. */
  time: number;
  count: number;
  sum: number;
  min: number;
  max: number;
  last: number;
};

type RollUp = "samples_minute" | "samples_hour";
const widths = { samples_minute: 60, samples_hour: 3600 } as const;

/** Lists hours whose samples changed since their last roll-up. The newest come first, because they are displayed. */
export async function listTouchedHours(db: Db, limit: number): Promise<Date[]> {
  const { rows } = await sql<{ hour: Date }>`
    select distinct hour from samples_touched order by hour desc limit ${limit}`.execute(db);
  return rows.map(({ hour }) => hour);
}

/**
 * Rolls up the samples of hours by minute and hour. The partitions must exist. Idempotent: a change during the run
 * marks its hour again for the next run.
 */
export async function rollUpHours(db: Db, hours: Date[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom("samples_touched").where("hour", "in", hours).execute();
    for (const hour of hours) {
      await rollUp(tx, "samples_minute", "minute", hour);
      await rollUp(tx, "samples_hour", "hour", hour);
    }
  });
}

async function rollUp(db: Db, table: RollUp, unit: "minute" | "hour", hour: Date): Promise<void> {
  const to = new Date(hour.getTime() + 3_600_000);
  // Delete roll-ups whose samples a reorg removed.
  await sql`
    delete from ${sql.id(table)} r where r.at >= ${hour} and r.at < ${to} and not exists (
      select 1 from samples s where s.series_id = r.series_id
        and s.at >= r.at and s.at < r.at + ${sql.lit(`1 ${unit}`)}::interval)`.execute(db);
  await sql`
    insert into ${sql.id(table)} as r (series_id, org_id, at, count, sum, min, max, last)
    select series_id, org_id, date_trunc(${unit}, at, 'UTC') as bucket, count(*), sum(value), min(value), max(value),
      (array_agg(value order by at desc, height desc, position desc))[1]
    from samples where at >= ${hour} and at < ${to}
    group by series_id, org_id, bucket
    on conflict (series_id, at) do update set
      count = excluded.count, sum = excluded.sum, min = excluded.min, max = excluded.max, last = excluded.last`.execute(
    db,
  );
}

/** Lists the roll-ups of series within a span of time, oldest first. */
export async function listRollups(
  db: Db,
  table: RollUp,
  series_ids: string[],
  { after, until, limit }: { after: number; until: number; limit: number },
): Promise<Rollup[]> {
  if (until - after < widths[table]) return [];
  const { rows } = await sql<Omit<Rollup, "time" | "count"> & { at: Date; count: string }>`
    select series_id, at, count, sum, min, max, last from ${sql.id(table)}
    where series_id = any(${series_ids}::uuid[]) and at > ${new Date(after * 1000)}
      and at <= ${new Date((until - widths[table]) * 1000)}
    order by at limit ${limit}`.execute(db);
  return rows.map(({ at, count, ...sums }) => ({
    ...sums,
    count: Number(count),
    time: Math.round(at.getTime() / 1000),
  }));
}

/** Deletes up to `limit` expired roll-ups of the orgs of a tier and returns how many. */
export async function deleteRollupsBefore(
  db: Db,
  table: RollUp,
  { tier, before, now }: Expiry,
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    delete from ${sql.id(table)} where (series_id, at) in (
      select r.series_id, r.at from ${sql.id(table)} r join orgs o on o.id = r.org_id
      where o.tier = ${tier} and r.at < ${before} and not ${isRetained(sql`r.at`, now)} limit ${limit})
    returning series_id`.execute(db);
  return rows.length;
}
