import { type Insertable, type Selectable, sql } from "kysely";
import type { Db } from "../open-store.ts";
import type { Database } from "../tables.ts";

export type EventRow = Selectable<Database["alert_events"]>;
export type NewEvent = Insertable<Database["alert_events"]>;
export type NoticeKind = "fired" | "resolved" | "retracted" | "renotified" | "acknowledged";

/**
 * Writes the events of blocks and returns, for the id that each was given, the one that it has. The same observation
 * seen again, in a block done twice or in another branch, is the same event: it comes back to life, and there is no second.
 */
export async function insertEvents(
  db: Db,
  events: NewEvent[],
): Promise<Map<string, { id: string; isNew: boolean; isHeld: boolean }>> {
  if (events.length === 0) return new Map();
  const once = new Map(events.toReversed().map((event) => [identityOf(event), event]));
  const rows = [...once.values()].map((event) => ({
    is_silent: false,
    ...event,
    explanation: JSON.parse(event.explanation),
  }));
  const { rows: written } = await sql<{
    id: string;
    rule_id: string;
    rule_version: number;
    observation: string;
    is_held: boolean;
  }>`
    insert into alert_events select * from jsonb_populate_recordset(null::alert_events, ${JSON.stringify(rows)}::jsonb)
    on conflict (rule_id, rule_version, observation) do update set
      status = case when alert_events.status = 'retracted' then ${openStatus} else alert_events.status end,
      finality = excluded.finality, block_number = excluded.block_number, block_hash = excluded.block_hash,
      log_index = excluded.log_index, fired_at = excluded.fired_at, tx_hash = excluded.tx_hash, value = excluded.value,
      title = excluded.title, message = excluded.message, explanation = excluded.explanation
    returning id, rule_id, rule_version, observation, held_for is not null as is_held`.execute(db);
  const rowsByIdentity = new Map(written.map((row) => [identityOf(row), row]));
  return new Map(
    events.map((event) => {
      const { id, is_held } = rowsByIdentity.get(identityOf(event)) ?? { id: event.id, is_held: false };
      return [event.id, { id, isNew: id === event.id, isHeld: is_held }];
    }),
  );
}

/** What an event that goes on is: somebody who sees to it still does. */
const openStatus = sql`case when alert_events.acknowledged_at is null then 'firing' else 'acknowledged' end`;

function identityOf(event: Pick<NewEvent, "rule_id" | "rule_version" | "observation">): string {
  return `${event.rule_id} ${event.rule_version} ${event.observation}`;
}

/** Marks the events whose blocks are gone. What nobody had seen yet is deleted instead: there is nothing to take back. */
export async function orphanEvents(db: Db, chain: string, above: number): Promise<string[]> {
  await sql`
    delete from alert_events
    where chain = ${chain} and block_number > ${above} and held_for is not null`.execute(db);
  await sql`
    update alert_events set status = ${openStatus}, resolved_at = null, resolved_height = null
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
  const { rows } = await sql<{ id: string; org_id: string }>`
    select e.id, e.org_id from alert_events e
    where e.id = any(${event_ids}::uuid[]) and e.status = 'retracted'
      and exists (select 1 from alert_notices n where n.event_id = e.id and n.kind = 'fired')`.execute(db);
  return rows;
}

export async function resolveEvents(
  db: Db,
  resolved: { event_id: string; time: number; height: number }[],
): Promise<void> {
  if (resolved.length === 0) return;
  await sql`
    update alert_events e set status = 'resolved', resolved_at = u.at, resolved_height = u.height
    from unnest(${resolved.map((one) => one.event_id)}::uuid[],
      ${resolved.map((one) => new Date(one.time * 1000))}::timestamptz[],
      ${resolved.map((one) => one.height)}::bigint[]) as u (id, at, height)
    where e.id = u.id and e.status in ('firing', 'acknowledged')`.execute(db);
}

/** Shows the held events whose blocks are now deep enough, and returns those that people are to be told of. */
export async function releaseHeld(
  db: Db,
  chain: string,
  reached: { head: number; safe: number; finalized: number },
  now: Date,
): Promise<Released[]> {
  const { rows } = await sql<Released>`
    update alert_events set held_for = null, detected_at = ${now}
    where chain = ${chain} and held_for is not null and status <> 'retracted' and (
      (held_for = 'safe' and block_number <= ${reached.safe})
      or (held_for = 'finalized' and block_number <= ${reached.finalized})
      or (held_for ~ '^[0-9]+$' and block_number + held_for::bigint <= ${reached.head}))
    returning id, org_id, is_silent, (status = 'resolved' and exists (
      select 1 from alert_rules r where r.id = rule_id and r.notify_on_resolve)) as tells_end`.execute(db);
  return rows;
}

/** An event that was held; `tells_end` when it is over already, and people are to hear that too. */
type Released = { id: string; org_id: string; is_silent: boolean; tells_end: boolean };

export type NewNotice = {
  id: string;
  org_id: string;
  event_id: string;
  kind: NoticeKind;
  occurrence: number;
  created_at: Date;
};

/** Puts on record that people are to be told. The same thing is never told twice; `occurrence` makes it another. */
export async function insertNotices(db: Db, notices: NewNotice[]): Promise<void> {
  if (notices.length === 0) return;
  await sql`
    insert into alert_notices select * from jsonb_populate_recordset(null::alert_notices, ${JSON.stringify(notices)}::jsonb)
    on conflict (event_id, kind, occurrence) do nothing`.execute(db);
}

/** Whether people see these events, and whether they were told of them. */
export async function listKnown(
  db: Db,
  event_ids: string[],
): Promise<Map<string, { isShown: boolean; isNotified: boolean }>> {
  if (event_ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; isShown: boolean; isNotified: boolean }>`
    select e.id, e.held_for is null as "isShown",
      exists (select 1 from alert_notices n where n.event_id = e.id and n.kind = 'fired') as "isNotified"
    from alert_events e where e.id = any(${event_ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, ...known }) => [id, known]));
}

/** How often the alarm of each event was called off: a new alarm after that is news again. */
export async function countRetractions(db: Db, event_ids: string[]): Promise<Map<string, number>> {
  if (event_ids.length === 0) return new Map();
  const { rows } = await sql<{ event_id: string; total: string }>`
    select event_id, count(*) as total from alert_notices
    where kind = 'retracted' and event_id = any(${event_ids}::uuid[]) group by event_id`.execute(db);
  return new Map(rows.map((row) => [row.event_id, Number(row.total)]));
}

/** Lets people hear of events that a cooldown kept quiet. */
export async function unsilence(db: Db, event_ids: string[]): Promise<void> {
  if (event_ids.length === 0) return;
  await db.updateTable("alert_events").set({ is_silent: false }).where("id", "in", event_ids).execute();
}
