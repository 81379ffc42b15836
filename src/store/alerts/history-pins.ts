import { sql } from "kysely";
import type { Db } from "../open-store.ts";

/** An end of the history that somebody pages up to: since when, and what had been found in the moment before. */
export type Pin = { pinned_at: Date; known: string[] };

/** An event may be found a moment before it is on record. */
const momentMs = 10_000;
/** Beyond so many, pages shift. */
const maxLate = 5_000;

/** The pin of an end that is not older than `fresh`, made now if there is none. */
export async function pinHistory(
  db: Db,
  end: { org_id: string; until: Date },
  { now, fresh }: { now: Date; fresh: Date },
): Promise<Pin> {
  const known = await findPin(db, end, fresh);
  if (known) return known;
  const moment = new Date(now.getTime() - momentMs);
  await sql`
    insert into history_pins (org_id, until, pinned_at, known)
    select ${end.org_id}, ${end.until}, ${now}, coalesce(array_agg(e.id), '{}') from alert_events e
    where e.org_id = ${end.org_id} and e.held_for is null and e.detected_at > ${moment}
    on conflict (org_id, until) do update set pinned_at = excluded.pinned_at, known = excluded.known
      where history_pins.pinned_at <= ${fresh}`.execute(db);
  return (await findPin(db, end, fresh)) ?? { pinned_at: now, known: [] };
}

async function findPin(
  db: Db,
  { org_id, until }: { org_id: string; until: Date },
  fresh: Date,
): Promise<Pin | undefined> {
  return db
    .selectFrom("history_pins")
    .select(["pinned_at", "known"])
    .where("org_id", "=", org_id)
    .where("until", "=", until)
    .where("pinned_at", ">", fresh)
    .executeTakeFirst();
}

/** Events up to an end that were found after it was pinned. */
export async function listLateEvents(
  db: Db,
  { org_id, until }: { org_id: string; until: Date },
  { pinned_at, known }: Pin,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from alert_events
    where org_id = ${org_id} and held_for is null and fired_at <= ${until}
      and detected_at > ${new Date(pinned_at.getTime() - momentMs)} and id <> all(${known}::uuid[])
    order by detected_at desc limit ${maxLate}`.execute(db);
  return rows.map(({ id }) => id);
}
