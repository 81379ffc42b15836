import { sql } from "kysely";
import type { Db } from "../open-store.ts";

export type UsageCount = {
  key_id: string;
  org_id: string;
  day: string;
  requests: number;
  errors: number;
  last_used_at: Date;
};

/** Adds usage counts. Counts of a deleted key are dropped. */
export async function addUsage(db: Db, counts: UsageCount[]): Promise<void> {
  if (counts.length === 0) return;
  await sql`
    with counted as (
      select * from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb)
        as c (key_id uuid, org_id uuid, day date, requests bigint, errors bigint, last_used_at timestamptz)),
    used as (
      update api_keys k set last_used_at = greatest(k.last_used_at, c.at)
      from (select key_id, max(last_used_at) as at from counted group by key_id) c
      where k.id = c.key_id)
    insert into api_key_usage as u (org_id, key_id, day, requests, errors)
    select c.org_id, c.key_id, c.day, c.requests, c.errors
    from counted c join api_keys k on k.org_id = c.org_id and k.id = c.key_id
    on conflict (key_id, day) do update set
      requests = u.requests + excluded.requests, errors = u.errors + excluded.errors`.execute(db);
}

export type UsageDay = { key_id: string; day: string; requests: number; errors: number };

/** Lists the usage of an org by key and day since a day, of one key or of all. */
export async function listUsage(db: Db, org_id: string, since: string, key_id?: string): Promise<UsageDay[]> {
  const { rows } = await sql<{ key_id: string; day: string; requests: string; errors: string }>`
    select key_id, to_char(day, 'YYYY-MM-DD') as day, requests, errors from api_key_usage
    where org_id = ${org_id} and day >= ${since}::date
      ${key_id === undefined ? sql`` : sql`and key_id = ${key_id}`}`.execute(db);
  return rows.map((row) => ({ ...row, requests: Number(row.requests), errors: Number(row.errors) }));
}
