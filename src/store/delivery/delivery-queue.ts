import { type RawBuilder, sql } from "kysely";
import type { Db } from "../open-store.ts";
import { statusUnlessClosed } from "./delivery-results.ts";

/** A channel with due deliveries. */
export type WaitingChannel = { channel_id: string; org_id: string; type: string; due_at: Date };

/**
 * Lists the channels with due deliveries that no worker sends to. Skips from channel to channel in the index, so that
 * a backlog of one channel costs no more than one delivery.
 */
export async function listWaiting(db: Db, now: Date): Promise<WaitingChannel[]> {
  const { rows } = await sql<WaitingChannel>`
    with recursive waiting as (
      (select channel_id from deliveries where status = 'queued' order by channel_id limit 1)
      union all
      select (select d.channel_id from deliveries d where d.status = 'queued' and d.channel_id > w.channel_id
        order by d.channel_id limit 1)
      from waiting w where w.channel_id is not null)
    select c.id as channel_id, c.org_id, c.type, due.next_attempt_at as due_at
    from waiting w
    join channels c on c.id = w.channel_id and ${canSend(now)}
    cross join lateral (
      select d.next_attempt_at from deliveries d where d.channel_id = c.id and d.status = 'queued'
      order by d.next_attempt_at limit 1) due
    where due.next_attempt_at <= ${now}
      and not exists (select 1 from deliveries s where s.channel_id = c.id and s.status = 'sending')`.execute(
    db,
  );
  return rows;
}

/** The key of the lock that the claim of a channel holds. */
function claimLock(channel_id: RawBuilder<unknown>) {
  return sql`hashtextextended('tocsin.claim ' || ${channel_id}, 0)`;
}

/** True when the channel is enabled and not backing off. */
function canSend(now: Date) {
  return sql`(c.is_enabled and c.status <> 'disabled' and (c.next_send_at is null or c.next_send_at <= ${now}))`;
}

export type Claimed = {
  id: string;
  org_id: string;
  channel_id: string;
  kind: "fired" | "renotified" | "escalated" | "acknowledged" | "resolved" | "retracted" | "test";
  /** The number of alerts in the message. */
  alerts: number;
  /** The number of this attempt. */
  attempts: number;
  /** The fencing token of the claim. */
  fence: number;
  /** Attempts made before the delivery was replayed. */
  attempts_before: number;
  created_at: Date;
  queued_at: Date;
  next_attempt_at: Date;
};

/**
 * Claims deliveries of the given channels for one worker, in order. One worker sends to a channel at a time. The lock of a claim
 * is not that of the channel's row, so that a change of the channel that is not committed delays no message. Due times use the clock of the service, like every time that people see; leases use
 * the clock of the database, which all processes share.
 */
export async function claimDeliveries(
  db: Db,
  worker_id: string,
  wanted: { channel_id: string; limit: number }[],
  now: Date,
): Promise<Claimed[]> {
  return db.transaction().execute(async (tx) => {
    const ids = wanted.map(({ channel_id }) => channel_id);
    const { rows: held } = await sql<{ id: string }>`
      with open as materialized (select c.id from channels c where c.id = any(${ids}::uuid[]) and ${canSend(now)})
      select id from open where pg_try_advisory_xact_lock(${claimLock(sql`id`)})`.execute(tx);
    if (held.length === 0) return [];
    const limits = held.map(({ id }) => wanted.find((request) => request.channel_id === id)?.limit ?? 0);
    const { rows } = await sql<Claimed>`
      update deliveries set status = 'sending', attempts = attempts + 1, fence = fence + 1, worker_id = ${worker_id}
      where id in (
        select d.id from unnest(${held.map(({ id }) => id)}::uuid[], ${limits}::int[]) as c (id, room)
        cross join lateral (
          select d.id from deliveries d
          where d.channel_id = c.id and d.status = 'queued' and d.next_attempt_at <= ${now}
            and (not d.follows or not ${hasEarlierUnfinished})
          order by d.next_attempt_at, d.position limit c.room for update skip locked) d
        where not exists (select 1 from deliveries s where s.channel_id = c.id and s.status = 'sending'))
      returning id, org_id, channel_id, kind, attempts, fence, attempts_before, created_at, queued_at, next_attempt_at, position,
        (select count(*) from delivery_notices l where l.delivery_id = deliveries.id)::int as alerts`.execute(
      tx,
    );
    return rows.sort(byDueTime);
  });
}

function byDueTime(a: Claimed & { position?: string }, b: Claimed & { position?: string }): number {
  return +a.next_attempt_at - +b.next_attempt_at || Number(BigInt(a.position ?? 0) - BigInt(b.position ?? 0));
}

/** True when an earlier delivery of the same event to the same channel is unfinished. */
const hasEarlierUnfinished = sql`exists (
  select 1 from delivery_notices own
  join delivery_notices other on other.event_id = own.event_id and other.channel_id = own.channel_id
  join deliveries p on p.id = other.delivery_id
  where own.delivery_id = d.id and p.position < d.position and p.status in ('queued', 'sending'))`;

/** Puts claimed deliveries that were not attempted back into the queue; the attempt is not counted. */
export async function requeueUnattempted(
  db: Db,
  worker_id: string,
  claimed: Pick<Claimed, "id" | "fence">[],
): Promise<void> {
  if (claimed.length === 0) return;
  await sql`
    update deliveries d set ${statusUnlessClosed(sql`'queued'`, sql`d.last_error`)}, attempts = attempts - 1, worker_id = null
    from unnest(${claimed.map(({ id }) => id)}::uuid[], ${claimed.map(({ fence }) => fence)}::int[]) as u (id, fence)
    where d.id = u.id and d.fence = u.fence and d.worker_id = ${worker_id}`.execute(db);
}

/** Puts deliveries back into the queue after a claim whose outcome is unknown; the attempt is not counted. */
export async function requeueUnconfirmed(db: Db, worker_id: string, channel_ids: string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Waits until that claim has committed or rolled back.
    await sql`
      select pg_advisory_xact_lock(${claimLock(sql`id`)})
      from (select id from unnest(${channel_ids}::uuid[]) as channel (id) order by id) channels`.execute(tx);
    await sql`
      update deliveries d set ${statusUnlessClosed(sql`'queued'`, sql`d.last_error`)}, attempts = attempts - 1, worker_id = null
      where d.channel_id = any(${channel_ids}::uuid[]) and d.status = 'sending' and d.worker_id = ${worker_id}`.execute(
      tx,
    );
  });
}

/** Renews the lease of a worker. */
export async function renewWorker(db: Db, worker_id: string, seconds: number): Promise<void> {
  await sql`
    insert into delivery_workers values (${worker_id}, clock_timestamp() + make_interval(secs => ${seconds}))
    on conflict (id) do update set lease_until = excluded.lease_until`.execute(db);
}

export async function retireWorker(db: Db, worker_id: string): Promise<void> {
  await db.deleteFrom("delivery_workers").where("id", "=", worker_id).execute();
}

/**
 * Requeues the deliveries of workers whose lease expired. Their attempts are recorded as lost and repeated at once,
 * unless it was the last attempt.
 */
export async function requeueLost(db: Db, lastAttempt: number, now: Date): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with lost as (
      select d.id from deliveries d left join delivery_workers w on w.id = d.worker_id
      where d.status = 'sending' and (w.id is null or w.lease_until < clock_timestamp())
      limit 1000 for update of d skip locked),
    freed as (
      update deliveries d set worker_id = null, next_attempt_at = least(d.next_attempt_at, ${now}),
        ${statusUnlessClosed(sql`case when d.attempts - d.attempts_before >= ${lastAttempt} then 'failed' else 'queued' end`, sql`${lostAttemptReason}::text`)}
      from lost where d.id = lost.id returning d.id, d.attempts)
    insert into delivery_attempts (delivery_id, attempt, started_at, result, error)
    select id, attempts, ${now}, 'lost', ${lostAttemptReason} from freed
    on conflict do nothing returning delivery_id as id`.execute(db);
  await sql`delete from delivery_workers where lease_until < clock_timestamp()`.execute(db);
  return rows.length;
}

const lostAttemptReason = "The process ended before it recorded the result of this attempt.";
