import { type Insertable, type Selectable, sql } from "kysely";
import type { Db } from "./open.ts";
import type { Database } from "./schema.ts";

export type EventRow = Selectable<Database["alert_events"]>;
export type NewEvent = Insertable<Database["alert_events"]>;
export type NoticeKind = "fired" | "resolved" | "retracted" | "renotified";

/**
 * Writes the events of blocks and returns, for the id that each was given, the one that it has. The same observation
 * seen again, in a block done twice or in another branch, is the same event: it comes back to life, and there is no second.
 */
export async function insertEvents(
  db: Db,
  events: NewEvent[],
): Promise<Map<string, { id: string; isNew: boolean }>> {
  const ids = new Map<string, { id: string; isNew: boolean }>();
  for (const event of events) {
    const row = await db
      .insertInto("alert_events")
      .values(event)
      .onConflict((conflict) =>
        conflict.columns(["rule_id", "rule_version", "observation"]).doUpdateSet((query) => ({
          status: sql<"firing">`case when alert_events.status = 'retracted' then 'firing' else alert_events.status end`,
          finality: query.ref("excluded.finality"),
          block_number: query.ref("excluded.block_number"),
          block_hash: query.ref("excluded.block_hash"),
          log_index: query.ref("excluded.log_index"),
          fired_at: query.ref("excluded.fired_at"),
        })),
      )
      .returning("id")
      .executeTakeFirstOrThrow();
    ids.set(event.id, { id: row.id, isNew: row.id === event.id });
  }
  return ids;
}

/** Marks the events whose blocks are gone. What nobody had seen yet is deleted instead: there is nothing to take back. */
export async function orphanEvents(db: Db, chain: string, above: number): Promise<string[]> {
  await sql`
    delete from alert_events
    where chain = ${chain} and block_number > ${above} and held_for is not null`.execute(db);
  await sql`
    update alert_events set status = 'firing', resolved_at = null, resolved_height = null
    where chain = ${chain} and resolved_height > ${above} and block_number <= ${above}`.execute(db);
  const { rows } = await sql<{ id: string }>`
    update alert_events set status = 'retracted', finality = 'retracted', resolved_at = null, resolved_height = null
    where chain = ${chain} and block_number > ${above} and finality <> 'retracted'
    returning id`.execute(db);
  return rows.map((row) => row.id);
}

/** Those of the orphaned events that stayed so and of which people had been told. */
export async function listToRetract(db: Db, event_ids: string[]): Promise<{ id: string; org_id: string }[]> {
  if (event_ids.length === 0) return [];
  return db
    .selectFrom("alert_events")
    .select(["id", "org_id"])
    .where("id", "in", event_ids)
    .where("status", "=", "retracted")
    .where((query) =>
      query.exists(
        query
          .selectFrom("alert_notices")
          .select("alert_notices.id")
          .whereRef("alert_notices.event_id", "=", "alert_events.id")
          .where("alert_notices.kind", "=", "fired"),
      ),
    )
    .execute();
}

export async function resolveEvent(db: Db, event_id: string, at: Date, height: number): Promise<void> {
  await db
    .updateTable("alert_events")
    .set({ status: "resolved", resolved_at: at, resolved_height: String(height) })
    .where("id", "=", event_id)
    .where("status", "in", ["firing", "acknowledged"])
    .execute();
}

/** Shows the held events whose blocks are now deep enough, and returns those that people are to be told of. */
export async function releaseHeld(
  db: Db,
  chain: string,
  reached: { head: number; safe: number; finalized: number },
  now: Date,
): Promise<{ id: string; org_id: string; is_shadow: boolean }[]> {
  const { rows } = await sql<{ id: string; org_id: string; is_shadow: boolean }>`
    update alert_events set held_for = null, detected_at = ${now}
    where chain = ${chain} and held_for is not null and status <> 'retracted' and (
      (held_for = 'safe' and block_number <= ${reached.safe})
      or (held_for = 'finalized' and block_number <= ${reached.finalized})
      or (held_for ~ '^[0-9]+$' and block_number + held_for::bigint <= ${reached.head}))
    returning id, org_id, is_shadow`.execute(db);
  return rows;
}

/** Says of events how settled their blocks are. */
export async function settleFinality(
  db: Db,
  chain: string,
  reached: { safe: number; finalized: number },
): Promise<void> {
  await sql`
    update alert_events
    set finality = case when block_number <= ${reached.finalized} then 'finalized' else 'safe' end
    where chain = ${chain} and finality in ('pending', 'safe') and block_number <= ${Math.max(reached.safe, reached.finalized)}
      and finality <> (case when block_number <= ${reached.finalized} then 'finalized' else 'safe' end)`.execute(
    db,
  );
}

/** Puts on record that people are to be told. Telling the same thing twice is not possible; `occurrence` makes it another. */
export async function insertNotice(
  db: Db,
  notice: {
    id: string;
    org_id: string;
    event_id: string;
    kind: NoticeKind;
    occurrence?: number;
    created_at: Date;
  },
): Promise<void> {
  await db
    .insertInto("alert_notices")
    .values(notice)
    .onConflict((conflict) => conflict.columns(["event_id", "kind", "occurrence"]).doNothing())
    .execute();
}

/** How often an event's alarm was called off: a new alarm after that is news again. */
export async function countRetractions(db: Db, event_id: string): Promise<number> {
  const { total } = await db
    .selectFrom("alert_notices")
    .select((query) => query.fn.countAll<string>().as("total"))
    .where("event_id", "=", event_id)
    .where("kind", "=", "retracted")
    .executeTakeFirstOrThrow();
  return Number(total);
}
