import { sql } from "kysely";
import type { Db } from "../open-store.ts";

/**
 * The newest events and deliveries that the figures are computed from. The operation is public, so the cost must be
 * bounded.
 */
const sampled = 10_000;

export type Detection = { p50_ms: number | null; p95_ms: number | null };

/** Measures the time from block to event since a time, overall and per chain. */
export async function measureDetection(
  db: Db,
  since: Date,
): Promise<{ overall: Detection; byChain: Map<string, Detection> }> {
  const { rows } = await sql<{ chain: string | null; p50: number | null; p95: number | null }>`
    select chain,
      percentile_cont(0.5) within group (order by delay) as p50,
      percentile_cont(0.95) within group (order by delay) as p95
    from (
      select chain, greatest(0, extract(epoch from detected_at - fired_at)) * 1000 as delay
      from alert_events where detected_at > ${since} and held_for is null and kind = 'fired'
      order by detected_at desc limit ${sampled}) d
    group by grouping sets ((chain), ())`.execute(db);
  const measured = rows.map(
    ({ chain, p50, p95 }) => [chain, { p50_ms: round(p50), p95_ms: round(p95) }] as const,
  );
  return {
    overall: measured.find(([chain]) => chain === null)?.[1] ?? { p50_ms: null, p95_ms: null },
    byChain: new Map(measured.flatMap(([chain, detection]) => (chain === null ? [] : [[chain, detection]]))),
  };
}

/** Measures the time from event to delivery since a time, and counts the deliveries that wait. */
export async function measureDelivery(
  db: Db,
  since: Date,
): Promise<{ pending: number; p95_ms: number | null }> {
  const { rows } = await sql<{ pending: string; p95: number | null }>`
    select
      (select count(*) from alert_notices where fanned_out_at is null)
        + (select count(*) from deliveries where status in ('queued', 'sending')) as pending,
      (select percentile_cont(0.95) within group (order by extract(epoch from s.sent_at - s.queued_at) * 1000) from (
        select sent_at, queued_at from deliveries where sent_at > ${since} and status = 'sent'
        order by sent_at desc limit ${sampled}) s) as p95`.execute(db);
  return { pending: Number(rows[0]?.pending ?? 0), p95_ms: round(rows[0]?.p95 ?? null) };
}

function round(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}
