import { sql } from "kysely";
import type { Db } from "./open.ts";

/** How long it took from blocks to events and from events to people since a time, and what still waits to be told. */
export async function measureService(
  db: Db,
  since: Date,
): Promise<{
  p50_ms: number | null;
  p95_ms: number | null;
  pending: number;
  delivery_p95_ms: number | null;
}> {
  const { rows } = await sql<{
    p50: number | null;
    p95: number | null;
    pending: string;
    delivery_p95: number | null;
  }>`
    select
      percentile_cont(0.5) within group (order by delay) as p50,
      percentile_cont(0.95) within group (order by delay) as p95,
      (select count(*) from alert_notices where fanned_out_at is null)
        + (select count(*) from deliveries where status in ('queued', 'sending')) as pending,
      (select percentile_cont(0.95) within group (order by extract(epoch from s.sent_at - s.queued_at) * 1000) from (
        select sent_at, queued_at from deliveries where sent_at > ${since} and status = 'sent'
        order by sent_at desc limit ${sampled}) s) as delivery_p95
    from (
      select extract(epoch from detected_at - fired_at) * 1000 as delay
      from alert_events where detected_at > ${since} and held_for is null and kind = 'fired') d`.execute(db);
  const row = rows[0];
  const round = (value: number | null | undefined) =>
    value === null || value === undefined ? null : Math.round(value);
  return {
    p50_ms: round(row?.p50),
    p95_ms: round(row?.p95),
    pending: Number(row?.pending ?? 0),
    delivery_p95_ms: round(row?.delivery_p95),
  };
}

/** How many of the last deliveries are looked at. */
const sampled = 10_000;
