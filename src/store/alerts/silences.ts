import { type Insertable, type Selectable, sql } from "kysely";
import type { Db } from "../open-store.ts";
import type { Database } from "../tables.ts";
import { isScopedKey, isVisible, type Viewer } from "../viewer.ts";

export type SilenceRow = Selectable<Database["silences"]>;

/** Whether a silence `s` holds at a time. */
export function isActive(now: Date) {
  return sql<boolean>`(s.deleted_at is null and s.starts_at <= ${now} and s.ends_at > ${now})`;
}

/** Whether a silence `s` is about an event `e`: everything that it names must fit. */
export const isAbout = sql<boolean>`(s.org_id = e.org_id
  and (s.contract_id is null or s.contract_id = e.contract_id)
  and (s.severity is null or s.severity = e.severity)
  and (s.label is null or exists (
    select 1 from contract_labels b where b.contract_id = e.contract_id
      and lower(s.label) in (lower(b.value), lower(b.key || ':' || b.value)))))`;

export async function insertSilence(db: Db, silence: Insertable<Database["silences"]>): Promise<SilenceRow> {
  return db.insertInto("silences").values(silence).returningAll().executeTakeFirstOrThrow();
}

/** The silences that hold or are to come and that the viewer may know of, the first to end first. */
export async function listSilences(db: Db, viewer: Viewer, now: Date): Promise<SilenceRow[]> {
  const { rows } = await sql<SilenceRow>`
    select s.* from silences s
    where s.org_id = ${viewer.org_id} and s.deleted_at is null and s.ends_at > ${now} and ${isForEyes(viewer)}
    order by s.ends_at, s.id`.execute(db);
  return rows;
}

/** Lifts a silence; undefined when there is none that the viewer may know of. */
export async function liftSilence(
  db: Db,
  viewer: Viewer,
  silence_id: string,
  now: Date,
): Promise<SilenceRow | undefined> {
  const { rows } = await sql<SilenceRow>`
    update silences s set deleted_at = ${now}
    where s.org_id = ${viewer.org_id} and s.id = ${silence_id} and s.deleted_at is null and ${isForEyes(viewer)}
    returning s.*`.execute(db);
  return rows[0];
}

/** A restricted key hears of a label only where one of its contracts has it. */
function isForEyes(viewer: Viewer) {
  const isSeen = isVisible(viewer, sql`c`);
  const hasLabel = sql<boolean>`(s.label is null or exists (
    select 1 from contracts c join contract_labels b on b.contract_id = c.id
    where ${isSeen} and lower(s.label) in (lower(b.value), lower(b.key || ':' || b.value))))`;
  return sql<boolean>`((s.contract_id is null or exists (
    select 1 from contracts c where c.id = s.contract_id and ${isSeen})) and ${isScopedKey(viewer) ? hasLabel : sql`true`})`;
}

/** How many silences of an org hold or are to come. */
export async function countSilences(db: Db, org_id: string, now: Date): Promise<number> {
  const { total } = await db
    .selectFrom("silences")
    .select((query) => query.fn.countAll<string>().as("total"))
    .where("org_id", "=", org_id)
    .where("deleted_at", "is", null)
    .where("ends_at", ">", now)
    .executeTakeFirstOrThrow();
  return Number(total);
}
