import { type RawBuilder, type Selectable, sql } from "kysely";
import type { PagePoint } from "../../wire/page-point.ts";
import { isEventVisible } from "../alerts/history.ts";
import type { Db } from "../open-store.ts";
import { type Expiry, isRetained } from "../orgs/retention-overrides.ts";
import { isAfter } from "../slice.ts";
import type { Database } from "../tables.ts";
import { isUnrestricted, type Viewer } from "../viewer.ts";

export type DeliveryRow = Selectable<Database["deliveries"]> & { event_ids: string[] };
export type AttemptRow = Selectable<Database["delivery_attempts"]>;

export type DeliveryFilter = {
  status?: string | undefined;
  channel_id?: string | undefined;
  event_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  limit: number;
  offset: number;
  after?: PagePoint | undefined;
};

/** Lists deliveries, newest first. The viewer must see the contracts of all events of a delivery. */
export async function listDeliveries(db: Db, viewer: Viewer, filter: DeliveryFilter): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    with page as (
      select d.id, d.created_at from deliveries d
      where ${sql.join(conditions(viewer, filter), sql` and `)}
      order by d.created_at desc, d.id desc limit ${filter.limit} offset ${filter.offset})
    select d.*, ${eventIds} as event_ids from page join deliveries d using (id)
    order by d.created_at desc, d.id desc`.execute(db);
  return rows;
}

export async function findDelivery(
  db: Db,
  viewer: Viewer,
  delivery_id: string,
): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    select d.*, ${eventIds} as event_ids from deliveries d
    where d.id = ${delivery_id} and ${sql.join(conditions(viewer, {}), sql` and `)}`.execute(db);
  return rows[0];
}

const eventIds = sql`array(
  select l.event_id from delivery_notices l
  where l.delivery_id = d.id and l.event_id is not null order by l.notice_id)`;

function conditions(viewer: Viewer, filter: Partial<DeliveryFilter>): RawBuilder<unknown>[] {
  const { status, channel_id, event_id, from, to, after } = filter;
  const isAbout = sql`exists (
    select 1 from delivery_notices l where l.delivery_id = d.id and l.event_id = ${event_id ?? null})`;
  return [
    sql`d.org_id = ${viewer.org_id}`,
    ...(isUnrestricted(viewer) ? [] : [seesEveryAlert(viewer, sql`d.id`)]),
    ...(status ? [sql`d.status = ${status}`] : []),
    ...(channel_id ? [sql`d.channel_id = ${channel_id}`] : []),
    ...(event_id ? [isAbout] : []),
    ...(from ? [sql`d.created_at >= ${new Date(from)}`] : []),
    ...(to ? [sql`d.created_at <= ${new Date(to)}`] : []),
    ...(after ? [isAfter(after, sql`d.created_at`, sql`d.id`)] : []),
  ];
}

/** True if the viewer sees the contracts of all events of a delivery, also of those that have expired. */
export function seesEveryAlert(viewer: Viewer, delivery_id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(exists (select 1 from delivery_notices l where l.delivery_id = ${delivery_id}) and not exists (
    select 1 from delivery_notices l
    where l.delivery_id = ${delivery_id} and not ${isEventVisible(viewer, sql`l`)}))`;
}

/** Lists the newest attempts of each delivery, up to a number, in order. */
export async function listAttempts(db: Db, delivery_ids: string[], limit: number): Promise<AttemptRow[]> {
  if (delivery_ids.length === 0) return [];
  const { rows } = await sql<AttemptRow>`
    select a.* from unnest(${delivery_ids}::uuid[]) as d (id) cross join lateral (
      select * from delivery_attempts where delivery_id = d.id order by attempt desc limit ${limit}) a
    order by a.delivery_id, a.attempt`.execute(db);
  return rows;
}

/** Queues a finished delivery again, under the same id. Returns false when it is not finished. */
export async function requeue(db: Db, org_id: string, delivery_id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update deliveries set status = 'queued', attempts_before = attempts, next_attempt_at = ${now}, queued_at = ${now},
      is_muted = false, last_error = null
    where org_id = ${org_id} and id = ${delivery_id} and status in ('sent', 'failed', 'skipped', 'silenced')
    returning id`.execute(db);
  return rows.length > 0;
}

/** The delivery of an event to one channel. */
export type EventDelivery = Pick<
  DeliveryRow,
  "channel_id" | "channel_type" | "status" | "attempts" | "last_error" | "sent_at"
> & { event_id: string };

/**
 * Lists the newest delivery about the start of each event to each channel, at first or by escalation. An alert of the service goes
 * to every channel of its org: up to `limit` of each event, those that were not sent first.
 */
export async function listDeliveriesOf(db: Db, event_ids: string[], limit: number): Promise<EventDelivery[]> {
  if (event_ids.length === 0) return [];
  const { rows } = await sql<EventDelivery>`
    select e.id as event_id, shown.* from unnest(${event_ids}::uuid[]) as e (id) cross join lateral (
      select * from (
        select distinct on (d.channel_id) d.channel_id, d.channel_type, d.status, d.attempts, d.last_error, d.sent_at
        from delivery_notices l join deliveries d on d.id = l.delivery_id and d.kind in ('fired', 'escalated')
        where l.event_id = e.id order by d.channel_id, d.position desc) newest
      order by status = 'sent', channel_id limit ${limit}) shown
    order by e.id, shown.channel_id`.execute(db);
  return rows;
}

/** Deletes the deliveries to a channel with their attempts. */
export async function deleteDeliveriesTo(db: Db, org_id: string, channel_id: string): Promise<void> {
  await db
    .deleteFrom("deliveries")
    .where("org_id", "=", org_id)
    .where("channel_id", "=", channel_id)
    .execute();
}

/** Deletes up to `limit` finished deliveries of the orgs of a tier, with their attempts. */
export async function deleteDeliveriesBefore(
  db: Db,
  { tier, before, now }: Expiry,
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    delete from deliveries where id in (
      select d.id from deliveries d join orgs o on o.id = d.org_id
      where o.tier = ${tier} and d.created_at < ${before} and d.status not in ('queued', 'sending') and not d.is_muted
        and not ${isRetained(sql`d.created_at`, now)}
      limit ${limit})
    returning id`.execute(db);
  return rows.length;
}
