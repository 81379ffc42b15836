import { type RawBuilder, sql } from "kysely";
import type { Db } from "../open-store.ts";

/** The result of one attempt and the next status of its delivery. */
export type Result = {
  id: string;
  attempt: number;
  /** The fencing token of the claim: the result of an expired claim is ignored. */
  fence: number;
  status: "sent" | "queued" | "failed" | "skipped";
  next_attempt_at: Date | null;
  started_at: Date;
  ended_at: Date;
  latency_ms: number;
  result: "sent" | "retry" | "failed" | "skipped";
  status_code: number | null;
  error: string | null;
  excerpt: string | null;
};

/**
 * Records a batch of attempts and updates their deliveries. Results with an outdated fencing token change nothing.
 * Returns the ids of the deliveries that were updated.
 */
export async function recordResults(db: Db, worker_id: string, results: Result[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as g (id uuid, attempt integer, fence integer, status text,
        next_attempt_at timestamptz, started_at timestamptz, ended_at timestamptz, latency_ms integer, result text,
        status_code integer, error text, excerpt text)),
    recorded as (
      update deliveries d set worker_id = null, ${statusUnlessClosed(sql`g.status`, sql`g.error`)},
        next_attempt_at = coalesce(g.next_attempt_at, d.next_attempt_at),
        sent_at = case when g.status = 'sent' then g.ended_at else d.sent_at end
      from given g
      where d.id = g.id and d.fence = g.fence and d.worker_id = ${worker_id}
      returning d.id)
    insert into delivery_attempts (delivery_id, attempt, started_at, latency_ms, result, status_code, error, excerpt)
    select g.id, g.attempt, g.started_at, g.latency_ms, g.result, g.status_code, g.error, g.excerpt
    from given g join recorded r on r.id = g.id
    on conflict do nothing returning delivery_id as id`.execute(db);
  return new Set(rows.map((row) => row.id));
}

/**
 * Sets the status of a delivery `d`, with a reason. A delivery may not stay queued for a channel that was deleted or
 * disabled, because that change cancels the queue only once.
 */
export function statusUnlessClosed(
  status: RawBuilder<unknown>,
  why: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(status, last_error) = (
    select case when ${status} <> 'queued' or ${isOpen} then ${status}
        when c.status = 'disabled' and c.is_enabled then 'failed' else 'skipped' end,
      case when ${status} <> 'queued' or ${isOpen} then ${why}
        when c.id is null then 'The channel was deleted.'
        when not c.is_enabled then 'The channel was switched off.'
        else 'The channel is disabled: ' || coalesce(c.last_error, 'its configuration must be changed.') end
    from (select) nothing left join channels c on c.id = d.channel_id)`;
}

const isOpen = sql`coalesce(c.is_enabled and c.status <> 'disabled', false)`;

/** Cancels the queued deliveries of a channel that is deleted or disabled. */
export async function cancelQueued(
  db: Db,
  channel_ids: string[],
  status: "failed" | "skipped",
  reason: string,
): Promise<void> {
  if (channel_ids.length === 0) return;
  await db
    .updateTable("deliveries")
    .set({ status, last_error: reason })
    .where("channel_id", "in", channel_ids)
    .where("status", "=", "queued")
    .execute();
}

/** Skips queued deliveries, with a reason. */
export async function skipDeliveries(tx: Db, ids: string[], reason: string): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable("deliveries")
    .set({ status: "skipped", last_error: reason })
    .where("id", "in", ids)
    .execute();
}
