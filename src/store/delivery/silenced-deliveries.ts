import { sql } from "kysely";
import { covers, isActive } from "../alerts/silences.ts";
import type { Db } from "../open-store.ts";
import { statusUnlessClosed } from "./delivery-results.ts";
import type { NewDelivery } from "./new-deliveries.ts";

/**
 * Lists the orgs with deliveries of a silence that has ended. Skips from silence to silence in the index, so that a
 * storm under one silence costs no more than one delivery.
 */
export async function listOrgsWithEndedSilences(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ org_id: string }>`
    with recursive muting as (
      (select silence_id, org_id from deliveries where is_muted order by silence_id limit 1)
      union all
      select next.* from muting m cross join lateral (
        select d.silence_id, d.org_id from deliveries d where d.is_muted and d.silence_id > m.silence_id
        order by d.silence_id limit 1) next)
    select distinct m.org_id from muting m left join silences ended on ended.id = m.silence_id
    where ${isOver(now)}`.execute(db);
  return rows.map(({ org_id }) => org_id);
}

/** True when the silence has ended. */
function isOver(now: Date) {
  return sql`(ended.id is null or ended.deleted_at is not null or ended.ends_at <= ${now})`;
}

/** A delivery whose silence has ended, with its new status. */
export type Released = Pick<
  NewDelivery,
  "id" | "org_id" | "channel_id" | "channel_type" | "severity" | "status"
>;

/**
 * Releases the deliveries of ended silences: those whose event is still open and that no other silence covers are
 * queued, a step of an escalation only if nobody has acknowledged the event. Returns all of them, the earliest first.
 */
export async function releaseSilenced(tx: Db, org_ids: string[], now: Date): Promise<Released[]> {
  const status = sql`(case when over.silence_id is null and over.is_open and over.channel_id is not null
    then 'queued' else 'silenced' end)`;
  const { rows } = await sql<Released>`
    with over as (
      select d.id, c.id as channel_id, (
        select s.id from delivery_notices l join alert_events e on e.id = l.event_id
        join silences s on ${isActive(now)} and ${covers}
        where l.delivery_id = d.id order by s.ends_at desc limit 1) as silence_id,
        exists (select 1 from delivery_notices l join alert_events e on e.id = l.event_id
          where l.delivery_id = d.id and e.status = 'firing'
            and (d.kind <> 'escalated' or e.acknowledged_at is null)) as is_open
      from deliveries d
      left join silences ended on ended.id = d.silence_id
      left join channels c on c.id = d.channel_id and c.is_enabled
      where d.is_muted and d.org_id = any(${org_ids}::uuid[]) and ${isOver(now)}
      order by d.created_at, d.id limit 1000),
    released as (update deliveries d set
      silence_id = coalesce(over.silence_id, d.silence_id),
      is_muted = over.silence_id is not null,
      ${statusUnlessClosed(status, sql`d.last_error`)},
      next_attempt_at = ${now}, queued_at = ${now}
    from over where d.id = over.id
    returning d.id, d.org_id, d.channel_id, d.channel_type, d.severity, d.status, d.created_at)
    select id, org_id, channel_id, channel_type, severity, status from released order by created_at, id`.execute(
    tx,
  );
  return rows;
}
