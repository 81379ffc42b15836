import { sql } from "kysely";
import type { Db } from "../open-store.ts";

export type Window = { key: string; limit: number; seconds: number };

/**
 * Counts a hit in a sliding window. Returns undefined when it is admitted, otherwise the time of the next slot. One
 * statement under the row's lock, so that a window never admits more than its limit.
 */
export async function admitHit(db: Db, window: Window, now: Date): Promise<Date | undefined> {
  const since = new Date(now.getTime() - window.seconds * 1000);
  const expires_at = new Date(now.getTime() + window.seconds * 1000);
  const recent = sql`array(select hit from unnest(w.hits) hit where hit > ${since} order by hit)`;
  const { rows } = await sql<{ hits: Date[]; was_admitted: boolean }>`
    insert into rate_windows as w (key, hits, expires_at, was_admitted)
    values (${window.key}, array[${now}::timestamptz], ${expires_at}, true)
    on conflict (key) do update set
      hits = case when cardinality(${recent}) < ${window.limit}::int
                  then ${recent} || ${now}::timestamptz else ${recent} end,
      was_admitted = cardinality(${recent}) < ${window.limit}::int,
      expires_at = ${expires_at}
    returning hits, was_admitted`.execute(db);
  const row = rows[0];
  if (!row || row.was_admitted) return undefined;
  return new Date((row.hits[0] ?? now).getTime() + window.seconds * 1000);
}

/** Removes one hit at a time from a window. */
export async function removeHit(db: Db, key: string, at: Date): Promise<void> {
  const position = sql`array_position(hits, ${at}::timestamptz)`;
  await sql`
    update rate_windows set hits = hits[:${position} - 1] || hits[${position} + 1:]
    where key = ${key} and ${position} is not null`.execute(db);
}
