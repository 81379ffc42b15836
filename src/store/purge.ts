import { type RawBuilder, sql } from "kysely";
import type { Db } from "./open-store.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** The rows of a table that one statement deletes, so that no backlog takes longer than a statement may. */
const maxRows = 5_000;

type Purged = { rows: number; hasMore: boolean };

/** Deletes expired rows, of each table up to a maximum. */
export async function purgeExpired(db: Db, now: Date): Promise<Purged> {
  const purged: Purged = { rows: 0, hasMore: false };
  for (const [table, isExpired] of expiredRows(now)) {
    const rows = await deleteSome(db, table, isExpired);
    purged.rows += rows;
    purged.hasMore ||= rows === maxRows;
  }
  return purged;
}

/** The tables with rows that expire, each with the condition. */
function expiredRows(now: Date): [table: string, isExpired: RawBuilder<boolean>][] {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  return [
    ["sessions", sql`expires_at <= ${now}`],
    ["staff_sessions", sql`expires_at <= ${now}`],
    ["user_tokens", sql`expires_at <= ${ago(1)}`],
    ["rate_windows", sql`expires_at <= ${now}`],
    ["api_keys", sql`not is_active and deactivated_at <= ${ago(90)}`],
    ["api_key_usage", sql`day < ${ago(31).toISOString().slice(0, 10)}`],
    ["wallet_findings", sql`found_at <= ${ago(1)}`],
    ["wallet_discoveries", sql`created_at <= ${ago(90)}`],
    ["idempotency_keys", sql`created_at <= ${ago(1)}`],
    ["mail_outbox", sql`status <> 'queued' and created_at <= ${ago(30)}`],
    ["message_counts", sql`hour <= ${ago(1)}`],
    ["recipient_messages", sql`hour <= ${ago(1)}`],
    // Longer than the payment processor redelivers an event.
    ["billing_events", sql`received_at <= ${ago(60)}`],
    ["sms_numbers", sql`confirmed_at is null and expires_at <= ${ago(1)}`],
    ["sms_received", sql`received_at <= ${ago(30)}`],
    // Messages about alerts are deleted with their deliveries.
    ["inbox_messages", sql`delivery_id is null and received_at <= ${ago(30)}`],
    ["helius_inbox", sql`received_at <= ${ago(7)}`],
  ];
}

async function deleteSome(db: Db, table: string, isExpired: RawBuilder<boolean>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${isExpired} limit ${sql.lit(maxRows)}))`.execute(db);
  return Number(numAffectedRows ?? 0);
}
