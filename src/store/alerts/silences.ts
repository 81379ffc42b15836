import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import type { Db } from "../open-store.ts";
import type { Database } from "../tables.ts";
import { isEditable, isScopedKey, isSilenceable, isVisible, type Viewer } from "../viewer.ts";

export type SilenceRow = Selectable<Database["silences"]>;

/** True when the silence `s` is active at the time `now`. */
export function isActive(now: Date) {
  return sql<boolean>`(s.deleted_at is null and s.starts_at <= ${now} and s.ends_at > ${now})`;
}

/**
 * True when the silence `s` covers the event `e`: every criterion of the silence must match, and its author must be
 * allowed to change the contract of the event.
 */
export const covers = sql<boolean>`(s.org_id = e.org_id
  and (s.contract_id is null or s.contract_id = e.contract_id)
  and (s.severity is null or s.severity = e.severity)
  and (s.label is null or ${hasLabel(sql`e.contract_id`)})
  and (e.contract_id is null or exists (select 1 from contracts c where c.id = e.contract_id and ${isSilenceable})))`;

/** True when the contract has the label of the silence `s`. */
function hasLabel(contract_id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from contract_labels b where b.contract_id = ${contract_id}
    and lower(s.label) in (lower(b.value), lower(b.key || ':' || b.value)))`;
}

export async function insertSilence(db: Db, silence: Insertable<Database["silences"]>): Promise<SilenceRow> {
  return db.insertInto("silences").values(silence).returningAll().executeTakeFirstOrThrow();
}

/** Lists the active and future silences that the viewer sees, by their end. */
export async function listSilences(db: Db, viewer: Viewer, now: Date): Promise<SilenceRow[]> {
  const { rows } = await sql<SilenceRow>`
    select s.* from silences s
    where s.org_id = ${viewer.org_id} and s.deleted_at is null and s.ends_at > ${now} and ${isVisibleTo(viewer)}
    order by s.ends_at, s.id`.execute(db);
  return rows;
}

/** Finds a silence that the viewer sees, also one that has ended. */
export async function findSilence(
  db: Db,
  viewer: Viewer,
  silence_id: string,
): Promise<SilenceRow | undefined> {
  const { rows } = await sql<SilenceRow>`
    select s.* from silences s
    where s.org_id = ${viewer.org_id} and s.id = ${silence_id} and s.deleted_at is null and ${isVisibleTo(viewer)}`.execute(
    db,
  );
  return rows[0];
}

/** Finds a silence that the viewer sees and that has not ended, and locks it until the transaction ends. */
export async function lockSilence(
  db: Db,
  viewer: Viewer,
  silence_id: string,
  now: Date,
): Promise<SilenceRow | undefined> {
  const { rows } = await sql<SilenceRow>`
    select s.* from silences s
    where s.org_id = ${viewer.org_id} and s.id = ${silence_id} and s.deleted_at is null and s.ends_at > ${now}
      and ${isVisibleTo(viewer)}
    for update`.execute(db);
  return rows[0];
}

export async function updateSilence(
  db: Db,
  org_id: string,
  silence_id: string,
  change: Pick<SilenceRow, "reason" | "starts_at" | "ends_at">,
): Promise<SilenceRow> {
  return db
    .updateTable("silences")
    .set(change)
    .where("org_id", "=", org_id)
    .where("id", "=", silence_id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes a silence. Returns undefined when the viewer sees no such silence. */
export async function liftSilence(
  db: Db,
  viewer: Viewer,
  silence_id: string,
  now: Date,
): Promise<SilenceRow | undefined> {
  const { rows } = await sql<SilenceRow>`
    update silences s set deleted_at = ${now}
    where s.org_id = ${viewer.org_id} and s.id = ${silence_id} and s.deleted_at is null and ${isVisibleTo(viewer)}
    returning s.*`.execute(db);
  return rows[0];
}

/** True when the silence covers a contract that the viewer may not change, although its author may. */
export async function coversUneditable(db: Db, viewer: Viewer, silence_id: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from silences s join contracts c on c.org_id = s.org_id and c.id = coalesce(s.contract_id, c.id)
    where s.org_id = ${viewer.org_id} and s.id = ${silence_id} and (s.label is null or ${hasLabel(sql`c.id`)})
      and ${isSilenceable} and not ${isEditable(viewer, sql`c`)}
    limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * True for silences that the viewer sees. A restricted key sees a label silence only when one of its contracts has
 * the label.
 */
function isVisibleTo(viewer: Viewer) {
  const isSeen = isVisible(viewer, sql`c`);
  const isOnLabel = sql<boolean>`(s.label is null or exists (
    select 1 from contracts c where ${isSeen} and ${hasLabel(sql`c.id`)}))`;
  return sql<boolean>`((s.contract_id is null or exists (
    select 1 from contracts c where c.id = s.contract_id and ${isSeen})) and ${isScopedKey(viewer) ? isOnLabel : sql`true`})`;
}

/** Counts the active and future silences of an org. */
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
