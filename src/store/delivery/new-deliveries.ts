import { sql } from "kysely";
import type { Severity } from "../../lib/severity.ts";
import type { NoticeKind } from "../engine/alert-events.ts";
import type { Db } from "../open-store.ts";

export type Recipient = {
  id: string;
  org_id: string;
  type: string;
  name: string;
  min_severity: Severity;
  status: "ok" | "failing" | "disabled";
  last_error: string | null;
};

/** Lists and locks the enabled channels of orgs, so that none is deleted before its deliveries are written. */
export async function listRecipients(tx: Db, org_ids: string[]): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select id, org_id, type, name, min_severity, status, last_error from channels
    where org_id = any(${org_ids}::uuid[]) and is_enabled order by created_at, id for key share`.execute(tx);
  return rows;
}

/** Returns the channels that were notified, or will be, that each event fired, at first or by escalation. */
export async function listNotified(tx: Db, event_ids: string[]): Promise<Set<string>> {
  if (event_ids.length === 0) return new Set();
  const { rows } = await sql<{ recipient: string }>`
    select l.event_id || ' ' || l.channel_id as recipient
    from delivery_notices l join deliveries d on d.id = l.delivery_id
    where l.event_id = any(${event_ids}::uuid[]) and d.kind in ('fired', 'escalated')
      and (d.status in ('queued', 'sending', 'sent') or (d.status = 'failed' and d.attempts > 0))`.execute(
    tx,
  );
  return new Set(rows.map((row) => row.recipient));
}

/** Cancels the untried deliveries of retracted events. */
export async function cancelDeliveries(tx: Db, event_ids: string[], reason: string): Promise<void> {
  if (event_ids.length === 0) return;
  await sql`
    update deliveries d set status = 'skipped', last_error = ${reason}
    where d.id in (select delivery_id from delivery_notices where event_id = any(${event_ids}::uuid[]))
      and d.status = 'queued' and d.attempts = 0 and d.kind in ('fired', 'renotified', 'escalated', 'acknowledged')
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
  /** True for a summary, which the hourly limit does not count. */
  is_summary: boolean;
  notices: { id: string; event_id: string }[];
};

/** Inserts deliveries in the given order. A unique key rejects a second delivery of a notice to a channel. */
export async function insertDeliveries(tx: Db, deliveries: NewDelivery[], now: Date): Promise<void> {
  if (deliveries.length === 0) return;
  const links = deliveries.flatMap(({ id, channel_id, notices }) =>
    notices.map((notice) => ({
      delivery_id: id,
      channel_id,
      notice_id: notice.id,
      event_id: notice.event_id,
    })),
  );
  await sql`
    with made as (
      insert into deliveries (id, org_id, channel_id, channel_type, channel_name, kind, severity, follows, status, last_error,
        silence_id, is_muted, next_attempt_at, queued_at, created_at)
      select d.id, d.org_id, d.channel_id, d.channel_type, d.channel_name, d.kind, d.severity, d.follows, d.status,
        d.last_error, d.silence_id, d.is_muted, ${now}, ${now}, ${now}
      from rows from (jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) as (id uuid, org_id uuid, channel_id uuid,
        channel_type text, channel_name text, kind text, severity text, follows boolean, status text, last_error text,
        silence_id uuid, is_muted boolean)) with ordinality d
      order by d.ordinality)
    insert into delivery_notices (channel_id, notice_id, delivery_id, event_id, contract_id)
    select l.channel_id, l.notice_id, l.delivery_id, e.id, e.contract_id
    from jsonb_populate_recordset(null::delivery_notices, ${JSON.stringify(links)}::jsonb) l
    join alert_events e on e.id = l.event_id`.execute(tx);
}
