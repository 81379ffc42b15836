import { sql } from "kysely";
import type { Db } from "../open-store.ts";

export type MailRow = { id: string; sealed: Buffer; attempts: number };

export async function insertMail(db: Db, mail: { id: string; sealed: Buffer; now: Date }): Promise<void> {
  await db
    .insertInto("mail_outbox")
    .values({ id: mail.id, sealed: mail.sealed, next_attempt_at: mail.now, created_at: mail.now })
    .execute();
}

/**
 * Claims due mails for one attempt each. The claim counts the attempt and schedules the next one after the lease, so
 * that a crashed sender loses no mail and a mail that crashes its sender is not retried for ever.
 */
export async function claimMails(db: Db, now: Date, leaseUntil: Date, limit: number): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    update mail_outbox set attempts = attempts + 1, next_attempt_at = ${leaseUntil}
    where id in (
      select id from mail_outbox where status = 'queued' and next_attempt_at <= ${now}
      order by next_attempt_at limit ${limit} for update skip locked)
    returning id, sealed, attempts`.execute(db);
  return rows;
}

/** Records the result of an attempt. The result of an attempt that a later one replaced is ignored. */
export async function recordMailResult(
  db: Db,
  mail: { id: string; attempts: number },
  outcome:
    | { status: "sent"; sent_at: Date }
    | { status: "queued"; next_attempt_at: Date; last_error: string }
    | { status: "failed"; last_error: string },
): Promise<void> {
  await db
    .updateTable("mail_outbox")
    .set({ ...outcome, ...(outcome.status === "sent" && { sealed: null }) })
    .where("id", "=", mail.id)
    .where("attempts", "=", mail.attempts)
    .execute();
}

export async function countMails(db: Db): Promise<{ queued: number; failed: number }> {
  const rows = await db
    .selectFrom("mail_outbox")
    .select((query) => ["status", query.fn.countAll<string>().as("total")])
    .where("status", "!=", "sent")
    .groupBy("status")
    .execute();
  const of = (status: string) => Number(rows.find((row) => row.status === status)?.total ?? 0);
  return { queued: of("queued"), failed: of("failed") };
}
