import { sql } from "kysely";
import { arrayText } from "../array-text.ts";
import type { Db } from "../open-store.ts";
import { type Evidence, parseEvidence } from "./evidence.ts";

export type SampleRow = {
  series_id: string;
  org_id: string;
  height: number;
  time: number;
  position: number;
  value: number;
  subject: string | null;
  evidence: Evidence;
};

/** A sample to insert; its evidence is any JSON that `toPlain` returns. */
export type NewSample = Omit<SampleRow, "evidence"> & { evidence: unknown };

/** A sample as it is selected. */
export type StoredSample = Omit<NewSample, "time" | "height"> & { at: Date; height: string };

/** A block may have ten thousands of samples, whose conversion to one statement would block the event loop. */
const maxSamplesPerStatement = 2_000;
/** As many samples with large evidence are megabytes of JSON. */
const maxCharactersPerStatement = 4_000_000;

/** Inserts samples. The partitions of their days must exist. */
export async function insertSamples(db: Db, chain: string, rows: NewSample[]): Promise<void> {
  if (rows.length === 0) return;
  for (let from = 0; from < rows.length; ) {
    const evidence: string[] = [];
    for (let left = maxCharactersPerStatement; left > 0 && evidence.length < maxSamplesPerStatement; ) {
      const row = rows[from + evidence.length];
      if (!row) break;
      const json = JSON.stringify(row.evidence ?? {});
      evidence.push(json);
      left -= json.length;
    }
    await insertPart(db, chain, rows.slice(from, from + evidence.length), evidence);
    from += evidence.length;
  }
  const hours = new Set(rows.map((row) => Math.floor(row.time / 3600) * 3600));
  await sql`
    insert into samples_touched (hour)
    select unnest(${[...hours].map((hour) => new Date(hour * 1000))}::timestamptz[])`.execute(db);
}

async function insertPart(db: Db, chain: string, rows: NewSample[], evidence: string[]): Promise<void> {
  const column = (key: "series_id" | "org_id" | "height" | "time" | "position" | "value") =>
    arrayText(rows.map((row) => row[key]));
  await sql`
    insert into samples (chain, series_id, org_id, height, at, position, value, subject, evidence)
    select ${chain}, series_id, org_id, height, to_timestamp(time), position, value, subject, evidence from unnest(
      ${column("series_id")}::uuid[], ${column("org_id")}::uuid[], ${column("height")}::bigint[],
      ${column("time")}::float8[], ${column("position")}::int[], ${column("value")}::float8[],
      ${rows.map((row) => row.subject)}::text[],
      ${evidence}::jsonb[])
      as r (series_id, org_id, height, time, position, value, subject, evidence)`.execute(db);
}

/** Lists the samples of series after a time and up to a height, oldest first. */
export async function listSamples(
  db: Db,
  series_ids: string[],
  after: number,
  upToHeight: number,
): Promise<SampleRow[]> {
  const { rows } = await sql<StoredSample>`
    select series_id, org_id, height, at, position, value, subject, evidence from samples
    where series_id = any(${series_ids}::uuid[]) and at > ${new Date(after * 1000)} and height <= ${upToHeight}
    order by at, height, position`.execute(db);
  return rows.map(toSampleRow);
}

/** Lists the newest samples of each series after a time, up to `limit` per series, oldest first. */
export async function listRecentSamples(
  db: Db,
  series_ids: string[],
  { after, limit }: { after: number; limit: number },
): Promise<SampleRow[]> {
  if (series_ids.length === 0) return [];
  const { rows } = await sql<StoredSample>`
    select s.* from unnest(${series_ids}::uuid[]) as wanted (id)
    cross join lateral (
      select series_id, org_id, height, at, position, value, subject, evidence from samples
      where series_id = wanted.id and at > ${new Date(after * 1000)}
      order by at desc, height desc, position desc limit ${limit}) s
    order by s.at, s.height, s.position`.execute(db);
  return rows.map(toSampleRow);
}

/**
 * Aggregates raw samples by minute, dated at the last second of the minute. Exact, since it does not depend on
 * roll-ups.
 */
export async function listMinutes(
  db: Db,
  series_ids: string[],
  { after, before, upTo }: { after: number; before: number; upTo: number },
) {
  const { rows } = await sql<Minute>`
    select series_id, extract(epoch from date_trunc('minute', at, 'UTC'))::float8 + 59 as time,
      max(height)::float8 as height, count(*)::float8 as count, sum(value) as sum, min(value) as min, max(value) as max,
      (array_agg(value order by height desc, position desc))[1] as last
    from samples
    where series_id = any(${series_ids}::uuid[]) and at > ${new Date(after * 1000)}
      and at < ${new Date(before * 1000)} and height <= ${upTo}
    group by series_id, date_trunc('minute', at, 'UTC') order by time`.execute(db);
  return rows.map(({ series_id, time, height, last, ...rolled }) => {
    return { series_id, time, height, value: last, rolled, tx_hash: null, position: null };
  });
}

type Minute = {
  series_id: string;
  time: number;
  height: number;
  count: number;
  sum: number;
  min: number;
  max: number;
  last: number;
};

/** Returns the time of the oldest raw sample of a series. */
export async function findOldestSample(db: Db, series_id: string): Promise<number | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(at) as at from samples where series_id = ${series_id}`.execute(db);
  return rows[0]?.at ? Math.round(rows[0].at.getTime() / 1000) : undefined;
}

/** Lists the samples of one series within a span, oldest first. */
export async function listSamplesOf(
  db: Db,
  series_id: string,
  { after, until, limit }: { after: number; until: number; limit: number },
): Promise<SampleRow[]> {
  const { rows } = await sql<StoredSample>`
    select series_id, org_id, height, at, position, value, subject, evidence from samples
    where series_id = ${series_id} and at > ${new Date(after * 1000)} and at <= ${new Date(until * 1000)}
    order by at, height, position limit ${limit}`.execute(db);
  return rows.map(toSampleRow);
}

/** Deletes the samples of blocks above a height. */
export async function deleteSamplesAbove(db: Db, chain: string, height: number): Promise<void> {
  await sql`
    with gone as (delete from samples where chain = ${chain} and height > ${height} returning at)
    insert into samples_touched (hour) select distinct date_trunc('hour', at, 'UTC') from gone`.execute(db);
}

/** Returns the newest sample of each series up to a time and a height. */
export async function listNewestSamples(
  db: Db,
  series_ids: string[],
  upTo: number,
  upToHeight: number,
): Promise<SampleRow[]> {
  if (series_ids.length === 0) return [];
  const { rows } = await sql<StoredSample>`
    select s.* from unnest(${series_ids}::uuid[]) as wanted (id)
    cross join lateral (
      select series_id, org_id, height, at, position, value, subject, evidence from samples
      where series_id = wanted.id and at <= ${new Date(upTo * 1000)} and height <= ${upToHeight}
      order by at desc, height desc, position desc limit 1) s`.execute(db);
  return rows.map(toSampleRow);
}

export function toSampleRow({ at, height, evidence, ...row }: StoredSample): SampleRow {
  return {
    ...row,
    height: Number(height),
    time: Math.round(at.getTime() / 1000),
    evidence: parseEvidence(evidence),
  };
}
