import type { Db } from "./open-store.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Deletes expired rows and returns how many. */
export async function purgeExpired(db: Db, now: Date): Promise<number> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  const results = await Promise.all([
    db.deleteFrom("sessions").where("expires_at", "<=", now).executeTakeFirst(),
    db.deleteFrom("staff_sessions").where("expires_at", "<=", now).executeTakeFirst(),
    db.deleteFrom("user_tokens").where("expires_at", "<=", ago(1)).executeTakeFirst(),
    db.deleteFrom("rate_windows").where("expires_at", "<=", now).executeTakeFirst(),
    db
      .deleteFrom("api_keys")
      .where("is_active", "=", false)
      .where("deactivated_at", "<=", ago(90))
      .executeTakeFirst(),
    db.deleteFrom("api_key_usage").where("day", "<", ago(31).toISOString().slice(0, 10)).executeTakeFirst(),
    db.deleteFrom("wallet_findings").where("found_at", "<=", ago(1)).executeTakeFirst(),
    db.deleteFrom("wallet_discoveries").where("created_at", "<=", ago(90)).executeTakeFirst(),
    db.deleteFrom("idempotency_keys").where("created_at", "<=", ago(1)).executeTakeFirst(),
    db
      .deleteFrom("mail_outbox")
      .where("status", "!=", "queued")
      .where("created_at", "<=", ago(30))
      .executeTakeFirst(),
    db.deleteFrom("message_counts").where("hour", "<=", ago(1)).executeTakeFirst(),
    db.deleteFrom("recipient_messages").where("hour", "<=", ago(1)).executeTakeFirst(),
    // Longer than the payment processor redelivers an event.
    db.deleteFrom("billing_events").where("received_at", "<=", ago(60)).executeTakeFirst(),
    db
      .deleteFrom("sms_numbers")
      .where("confirmed_at", "is", null)
      .where("expires_at", "<=", ago(1))
      .executeTakeFirst(),
    db.deleteFrom("sms_received").where("received_at", "<=", ago(30)).executeTakeFirst(),
    // Messages about alerts are deleted with their deliveries.
    db
      .deleteFrom("inbox_messages")
      .where("delivery_id", "is", null)
      .where("received_at", "<=", ago(30))
      .executeTakeFirst(),
    db.deleteFrom("helius_inbox").where("received_at", "<=", ago(7)).executeTakeFirst(),
  ]);
  return results.reduce((sum, result) => sum + Number(result.numDeletedRows), 0);
}
