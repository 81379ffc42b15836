import { type Insertable, type Selectable, sql } from "kysely";
import type { Db } from "../open-store.ts";
import { jsonObject, type Parsed, rowParser } from "../parse-row.ts";
import type { Database } from "../tables.ts";

const json = { explanation: jsonObject };
export const parseEvent = rowParser("alert_events", json);

export type EventRow = Parsed<Selectable<Database["alert_events"]>, typeof json>;
export type NewEvent = Insertable<Database["alert_events"]>;
export type NoticeKind =
  | "fired"
  | "resolved"
  | "retracted"
  | "renotified"
  | "escalated"
  | "acknowledged"
  | "test";

/** One block may have as many events as it has logs, which must not become one statement of unlimited size. */
const maxEventsPerStatement = 1_000;
const maxNoticesPerStatement = 10_000;

/**
 * Inserts events and maps the given ids to the stored ones. Event identity is rule, version and observation: an
 * observation that is processed again, after a crash or in another branch, is the same event.
 */
export async function insertEvents(
  db: Db,
  events: NewEvent[],
): Promise<Map<string, { id: string; isNew: boolean; isHeld: boolean }>> {
  if (events.length === 0) return new Map();
  const once = [...new Map(events.toReversed().map((event) => [identityOf(event), event])).values()];
  const rowsByIdentity = new Map<string, WrittenEvent>();
  for (let from = 0; from < once.length; from += maxEventsPerStatement) {
    const written = await upsertEvents(db, once.slice(from, from + maxEventsPerStatement));
    for (const row of written) rowsByIdentity.set(identityOf(row), row);
  }
  return new Map(
    events.map((event) => {
      const { id, is_held } = rowsByIdentity.get(identityOf(event)) ?? { id: event.id, is_held: false };
      return [event.id, { id, isNew: id === event.id, isHeld: is_held }];
    }),
  );
}

type WrittenEvent = {
  id: string;
  rule_id: string;
  rule_version: number;
  observation: string;
  is_held: boolean;
};

async function upsertEvents(db: Db, events: NewEvent[]): Promise<WrittenEvent[]> {
  const rows = `[${events.map(toJson).join()}]`;
  const { rows: written } = await sql<WrittenEvent>`
    insert into alert_events select * from jsonb_populate_recordset(null::alert_events, ${rows}::jsonb)
    on conflict (rule_id, rule_version, observation) do update set
      status = case when alert_events.status <> 'retracted' then alert_events.status
        when alert_events.acknowledged_at is null then excluded.status else 'acknowledged' end,
      finality = excluded.finality, block_number = excluded.block_number, block_hash = excluded.block_hash,
      log_index = excluded.log_index, fired_at = excluded.fired_at, tx_hash = excluded.tx_hash, value = excluded.value,
      title = excluded.title, message = excluded.message, explanation = excluded.explanation
    returning id, rule_id, rule_version, observation, held_for is not null as is_held`.execute(db);
  return written;
}

/** The explanation is JSON already; parsing it would take longer than everything else here. */
function toJson(event: NewEvent): string {
  const fields = JSON.stringify({
    is_silent: false,
    is_occurrence: false,
    ...event,
    explanation: undefined,
  });
  return `${toNarrow(fields.slice(0, -1))},"explanation":${toNarrow(String(event.explanation))}}`;
}

const wideCharacter = /[\u0100-\uffff]/;
const wideCharacters = new RegExp(wideCharacter, "g");

/**
 * Escapes the characters of JSON that need two bytes in memory. One of them, such as a quotation mark in a title, would double the
 * memory of the whole statement and the time to encode it.
 */
function toNarrow(json: string): string {
  if (!wideCharacter.test(json)) return json;
  const escaped = json.replace(
    wideCharacters,
    (wide) => `\\u${wide.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  // Copied, because the engine keeps a text that was wide as wide.
  return Buffer.from(escaped, "latin1").toString("latin1");
}

/** The status of an event that is open again; an acknowledgement stays. */
const openStatus = sql`case when alert_events.acknowledged_at is null then 'firing' else 'acknowledged' end`;

function identityOf(event: Pick<NewEvent, "rule_id" | "rule_version" | "observation">): string {
  return `${event.rule_id} ${event.rule_version} ${event.observation}`;
}

/**
 * Marks the events of orphaned blocks, and reopens those that an orphaned block resolved. Events that still waited for
 * confirmations are deleted instead, since nobody saw them.
 */
export async function orphanEvents(
  db: Db,
  chain: string,
  above: number,
): Promise<{ orphans: string[]; reopened: string[] }> {
  await sql`
    delete from alert_events
    where chain = ${chain} and block_number > ${above} and held_for is not null`.execute(db);
  const { rows: reopened } = await sql<{ id: string }>`
    update alert_events set status = ${openStatus}, resolved_at = null, resolved_height = null
    where chain = ${chain} and resolved_height > ${above} and block_number <= ${above}
      and ${isRuleCurrent}
    returning id`.execute(db);
  const { rows: orphans } = await sql<{ id: string }>`
    update alert_events set status = 'retracted', finality = 'retracted', resolved_at = null, resolved_height = null
    where chain = ${chain} and block_number > ${above} and finality <> 'retracted'
    returning id`.execute(db);
  return { orphans: orphans.map(({ id }) => id), reopened: reopened.map(({ id }) => id) };
}

/** Nothing would resolve an event whose rule was changed, disabled or deleted since. */
const isRuleCurrent = sql`exists (
  select 1 from alert_rules r where r.id = rule_id and r.version = rule_version and r.is_enabled)`;

/** Lists the orphaned events that the new branch does not contain and of which recipients were notified. */
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
    from unnest(${resolved.map((event) => event.event_id)}::uuid[],
      ${resolved.map((event) => new Date(event.time * 1000))}::timestamptz[],
      ${resolved.map((event) => event.height)}::bigint[]) as u (id, at, height)
    where e.id = u.id and e.status in ('firing', 'acknowledged')`.execute(db);
}

/** Releases held events whose blocks have enough confirmations, and returns them. */
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
    returning id, org_id, is_silent, (status = 'resolved' and not exists (
      select 1 from alert_rules r where r.id = rule_id and not r.notify_on_resolve)) as "notifiesEnd"`.execute(
    db,
  );
  return rows;
}

/** A released event. `notifiesEnd` when it has resolved already and recipients must be notified of that too. */
type Released = { id: string; org_id: string; is_silent: boolean; notifiesEnd: boolean };

export type NewNotice = {
  id: string;
  org_id: string;
  event_id: string;
  kind: NoticeKind;
  occurrence: number;
  created_at: Date;
};

/** Inserts notices. A notice exists once per event, kind and `occurrence`. */
export async function insertNotices(db: Db, notices: NewNotice[]): Promise<void> {
  for (let from = 0; from < notices.length; from += maxNoticesPerStatement) {
    const some = JSON.stringify(notices.slice(from, from + maxNoticesPerStatement));
    await sql`
      insert into alert_notices select * from jsonb_populate_recordset(null::alert_notices, ${some}::jsonb)
      on conflict (event_id, kind, occurrence) do nothing`.execute(db);
  }
}

/** Returns whether events are visible and whether their recipients were notified. */
export async function listNotificationStates(
  db: Db,
  event_ids: string[],
): Promise<Map<string, { isShown: boolean; isNotified: boolean }>> {
  if (event_ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; isShown: boolean; isNotified: boolean }>`
    select e.id, e.held_for is null as "isShown",
      exists (select 1 from alert_notices n where n.event_id = e.id and n.kind = 'fired') as "isNotified"
    from alert_events e where e.id = any(${event_ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, ...state }) => [id, state]));
}

/** Counts the retractions of each event: an event that fires again after a retraction is notified again. */
export async function countRetractions(db: Db, event_ids: string[]): Promise<Map<string, number>> {
  if (event_ids.length === 0) return new Map();
  const { rows } = await sql<{ event_id: string; total: string }>`
    select event_id, count(*) as total from alert_notices
    where kind = 'retracted' and event_id = any(${event_ids}::uuid[]) group by event_id`.execute(db);
  return new Map(rows.map((row) => [row.event_id, Number(row.total)]));
}

/** Clears the silent mark of events whose cooldown has ended. */
export async function clearSilentMark(db: Db, event_ids: string[]): Promise<void> {
  if (event_ids.length === 0) return;
  await db.updateTable("alert_events").set({ is_silent: false }).where("id", "in", event_ids).execute();
}
