import { sql } from "kysely";
import type { Db } from "../open-store.ts";
import { listSeries } from "./series-of-hour.ts";

/** An advisory lock id of its own. */
const rollUpLock = 7_061_003;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A part of the work: the samples of some series in a span of time. */
type Part = { series_ids: string[]; from: Date; to: Date };

/** Lists hours whose samples changed since their last roll-up. The newest come first, because they are displayed. */
export async function listTouchedHours(db: Db, limit: number): Promise<Date[]> {
  const { rows } = await sql<{ hour: Date }>`
    select distinct hour from samples_touched order by hour desc limit ${limit}`.execute(db);
  return rows.map(({ hour }) => hour);
}

/** Marks an hour for the next run. */
export async function touchHour(db: Db, hour: Date): Promise<void> {
  await db.insertInto("samples_touched").values({ hour }).execute();
}

/**
 * Rolls up the samples of an hour by minute and hour. The partitions must exist. Idempotent: a change during the run marks the
 * hour again for the next run. A series with more samples than there is time for delays no other; returns how many those are.
 */
export async function rollUpHour(db: Db, hour: Date, maxStatementMs: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    if (!(await isOnlyOne(tx))) return 0;
    await sql`set local statement_timeout = ${sql.lit(maxStatementMs)}`.execute(tx);
    await tx.deleteFrom("samples_touched").where("hour", "=", hour).execute();
    const span = { from: hour, to: new Date(hour.getTime() + hourMs) };
    let failed = 0;
    for (let after: string | undefined; ; ) {
      const { series_ids, last } = await listSeries(tx, span, after);
      if (series_ids.length > 0) failed += await rollUpOrDivide(tx, { ...span, series_ids });
      if (last === undefined) return failed;
      after = last;
    }
  });
}

async function isOnlyOne(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ is_ours: boolean }>`
    select pg_try_advisory_xact_lock(${rollUpLock}) as is_ours`.execute(tx);
  return rows[0]?.is_ours === true;
}

/** Rolls up a part: if a statement takes too long, series by series, then minute by minute. Returns how many series failed. */
async function rollUpOrDivide(tx: Db, part: Part): Promise<number> {
  const { series_ids, from } = part;
  if (await succeeds(tx, () => rollUp(tx, part))) return 0;
  let failed = 0;
  if (series_ids.length > 1) {
    for (const id of series_ids) failed += await rollUpOrDivide(tx, { ...part, series_ids: [id] });
    return failed;
  }
  for (let at = from.getTime(); at < part.to.getTime(); at += minuteMs) {
    const minute = { series_ids, from: new Date(at), to: new Date(at + minuteMs) };
    if (!(await succeeds(tx, () => rollUpMinutes(tx, minute)))) failed = 1;
  }
  return (await succeeds(tx, () => rollUpOneHour(tx, part))) ? failed : 1;
}

const timedOut = "57014";

/** Runs work that has no effect if a statement takes too long; returns false then. */
async function succeeds(tx: Db, work: () => Promise<void>): Promise<boolean> {
  await sql`savepoint before_part`.execute(tx);
  try {
    await work();
    await sql`release savepoint before_part`.execute(tx);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== timedOut) throw error;
    await sql`rollback to savepoint before_part`.execute(tx);
    return false;
  }
}

async function rollUp(tx: Db, part: Part): Promise<void> {
  await rollUpMinutes(tx, part);
  await rollUpOneHour(tx, part);
}

async function rollUpMinutes(tx: Db, { series_ids, from, to }: Part): Promise<void> {
  // Samples that a reorg removed leave roll-ups behind.
  await sql`
    delete from samples_minute r
    where r.series_id = any(${series_ids}::uuid[]) and r.at >= ${from} and r.at < ${to} and not exists (
      select 1 from samples s
      where s.series_id = r.series_id and s.at >= r.at and s.at < r.at + interval '1 minute')`.execute(tx);
  await sql`
    insert into samples_minute as r (series_id, org_id, at, count, sum, min, max, last)
    select series_id, org_id, date_trunc('minute', at, 'UTC') as bucket, count(*), sum(value), min(value), max(value),
      (array_agg(value order by at desc, height desc, position desc))[1]
    from samples where series_id = any(${series_ids}::uuid[]) and at >= ${from} and at < ${to}
    group by series_id, org_id, bucket
    on conflict (series_id, at) do update set ${replaced}`.execute(tx);
}

/** The hour of series, from its minutes. */
async function rollUpOneHour(tx: Db, { series_ids, from, to }: Part): Promise<void> {
  await sql`
    delete from samples_hour r where r.series_id = any(${series_ids}::uuid[]) and r.at = ${from} and not exists (
      select 1 from samples_minute m where m.series_id = r.series_id and m.at >= ${from} and m.at < ${to})`.execute(
    tx,
  );
  await sql`
    insert into samples_hour as r (series_id, org_id, at, count, sum, min, max, last)
    select series_id, org_id, ${from}::timestamptz, sum(count), sum(sum), min(min), max(max),
      (array_agg(last order by at desc))[1]
    from samples_minute where series_id = any(${series_ids}::uuid[]) and at >= ${from} and at < ${to}
    group by series_id, org_id
    on conflict (series_id, at) do update set ${replaced}`.execute(tx);
}

const replaced = sql`
  count = excluded.count, sum = excluded.sum, min = excluded.min, max = excluded.max, last = excluded.last`;
