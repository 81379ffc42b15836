import { sql } from "kysely";
import type { NoticeKind } from "./alert-events.ts";
import type { Db } from "./open.ts";
import { isAbout, isActive } from "./silences.ts";

type Severity = "info" | "warning" | "critical";

/** A notice with what decides who hears of it. */
export type WaitingNotice = {
  id: string;
  org_id: string;
  event_id: string;
  kind: NoticeKind;
  occurrence: number;
  event_status: string;
  severity: Severity;
  chain: string;
  tx_hash: string | null;
  rule_id: string | null;
  /** Those that the rule names; null where there is no rule. */
  channel_ids: string[] | null;
  /** The channel that the event is about, which is the wrong one to tell. */
  about_channel_id: string | null;
  silence_id: string | null;
};

/** One process makes deliveries at a time: told of an end, it must see who was told of the beginning. */
export async function takeFanOutTurn(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ is_ours: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('tocsin.fan_out')) as is_ours`.execute(tx);
  return rows[0]?.is_ours ?? false;
}

/** Takes notices that wait, of every org a few, so that no org waits for another's storm. In the order of their events. */
export async function takeNotices(
  tx: Db,
  perOrg: number,
  limit: number,
  now: Date,
): Promise<WaitingNotice[]> {
  const { rows } = await sql<WaitingNotice>`
    with recursive orgs_waiting as (
      (select org_id from alert_notices where fanned_out_at is null order by org_id limit 1)
      union all
      select (select n.org_id from alert_notices n where n.fanned_out_at is null and n.org_id > w.org_id
        order by n.org_id limit 1)
      from orgs_waiting w where w.org_id is not null),
    chosen as (
      select n.id from orgs_waiting w cross join lateral (
        select id, row_number() over (order by created_at, ${rankOf("kind")}, id) as turn from (
          select * from alert_notices where org_id = w.org_id and fanned_out_at is null
          order by created_at, ${rankOf("kind")}, id limit ${perOrg}) first) n
      order by n.turn limit ${limit}),
    taken as (
      update alert_notices n set fanned_out_at = ${now} from chosen where n.id = chosen.id
      returning n.*)
    select n.id, n.org_id, n.event_id, n.kind, n.occurrence, e.status as event_status, e.severity, e.chain, e.tx_hash,
      e.rule_id, case when e.rule_id is null then null
        else array_remove(array_prepend(r.channel_id, coalesce(r.channel_ids, '{}')), null) end as channel_ids,
      e.explanation ->> 'channel_id' as about_channel_id,
      (select s.id from silences s where ${isActive(now)} and ${isAbout} order by s.ends_at desc limit 1) as silence_id
    from taken n
    join alert_events e on e.id = n.event_id
    left join alert_rules r on r.id = e.rule_id
    order by n.created_at, ${rankOf("n.kind")}, n.id`.execute(tx);
  return rows;
}

/** Notices of one commit may have the same time, and an alarm begins before it ends. */
function rankOf(kind: "kind" | "n.kind") {
  return sql`array_position(array['fired', 'renotified', 'acknowledged', 'resolved', 'retracted'], ${sql.ref(kind)})`;
}

export type Recipient = {
  id: string;
  org_id: string;
  type: string;
  name: string;
  min_severity: Severity;
  status: "ok" | "failing" | "disabled";
  last_error: string | null;
};

/** The channels of orgs that are switched on. Held, so that none is deleted before its deliveries are written. */
export async function listRecipients(tx: Db, org_ids: string[]): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select id, org_id, type, name, min_severity, status, last_error from channels
    where org_id = any(${org_ids}::uuid[]) and is_enabled order by created_at, id for key share`.execute(tx);
  return rows;
}

/** Which channels were told, or are about to be, that each event began. */
export async function listTold(tx: Db, event_ids: string[]): Promise<Set<string>> {
  if (event_ids.length === 0) return new Set();
  const { rows } = await sql<{ told: string }>`
    select l.event_id || ' ' || l.channel_id as told
    from delivery_notices l join deliveries d on d.id = l.delivery_id
    where l.event_id = any(${event_ids}::uuid[]) and d.kind = 'fired'
      and (d.status in ('queued', 'sending', 'sent') or (d.status = 'failed' and d.attempts > 0))`.execute(
    tx,
  );
  return new Set(rows.map((row) => row.told));
}

/** Calls off messages that nobody has tried to send yet, of alarms that were never true. */
export async function callOff(tx: Db, event_ids: string[], reason: string): Promise<void> {
  if (event_ids.length === 0) return;
  await sql`
    update deliveries d set status = 'skipped', last_error = ${reason}
    where d.id in (select delivery_id from delivery_notices where event_id = any(${event_ids}::uuid[]))
      and d.status = 'queued' and d.attempts = 0 and d.kind in ('fired', 'renotified', 'acknowledged')
      and not exists (
        select 1 from delivery_notices l where l.delivery_id = d.id and l.event_id <> all(${event_ids}::uuid[]))`.execute(
    tx,
  );
}

export type NewDelivery = {
  id: string;
  org_id: string;
  channel_id: string;
  channel_type: string;
  channel_name: string;
  kind: NoticeKind;
  severity: Severity;
  follows: boolean;
  status: "queued" | "failed" | "skipped" | "silenced";
  last_error: string | null;
  silence_id: string | null;
  is_muted: boolean;
  notices: { id: string; event_id: string }[];
};

/** Writes deliveries in the given order. That a notice comes twice to a channel is refused by the table. */
export async function insertDeliveries(tx: Db, deliveries: NewDelivery[], now: Date): Promise<void> {
  if (deliveries.length === 0) return;
  await sql`
    insert into deliveries (id, org_id, channel_id, channel_type, channel_name, kind, severity, follows, status, last_error,
      silence_id, is_muted, next_attempt_at, queued_at, created_at)
    select d.id, d.org_id, d.channel_id, d.channel_type, d.channel_name, d.kind, d.severity, d.follows, d.status,
      d.last_error, d.silence_id, d.is_muted, ${now}, ${now}, ${now}
    from rows from (jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) as (id uuid, org_id uuid, channel_id uuid,
      channel_type text, channel_name text, kind text, severity text, follows boolean, status text, last_error text,
      silence_id uuid, is_muted boolean)) with ordinality d
    order by d.ordinality`.execute(tx);
  const links = deliveries.flatMap(({ id, channel_id, notices }) =>
    notices.map((notice) => ({
      delivery_id: id,
      channel_id,
      notice_id: notice.id,
      event_id: notice.event_id,
    })),
  );
  await sql`
    insert into delivery_notices select * from jsonb_populate_recordset(null::delivery_notices,
      ${JSON.stringify(links)}::jsonb)`.execute(tx);
}

/** Looks again at what a silence held back that is over: told now if the alarm goes on and nothing else silences it. */
export async function releaseMuted(tx: Db, now: Date): Promise<number> {
  const { rows } = await sql`
    with over as (
      select d.id, c.id as channel_id, (
        select s.id from delivery_notices l join alert_events e on e.id = l.event_id
        join silences s on ${isActive(now)} and ${isAbout}
        where l.delivery_id = d.id order by s.ends_at desc limit 1) as silence_id,
        exists (select 1 from delivery_notices l join alert_events e on e.id = l.event_id
          where l.delivery_id = d.id and e.status = 'firing') as is_firing
      from deliveries d
      left join silences ended on ended.id = d.silence_id
      left join channels c on c.id = d.channel_id and c.is_enabled
      where d.is_muted and (ended.id is null or ended.deleted_at is not null or ended.ends_at <= ${now})
      limit 1000)
    update deliveries d set
      silence_id = coalesce(over.silence_id, d.silence_id),
      is_muted = over.silence_id is not null,
      status = case when over.silence_id is null and over.is_firing and over.channel_id is not null
        then 'queued' else 'silenced' end,
      next_attempt_at = ${now}, queued_at = ${now}
    from over where d.id = over.id returning d.id`.execute(tx);
  return rows.length;
}
