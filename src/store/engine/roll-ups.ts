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
