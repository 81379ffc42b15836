import type { Db } from "../open-store.ts";

/** True when the number has opted out of messages. Opt-outs hold for every org. */
export async function hasOptedOut(db: Db, phone: string): Promise<boolean> {
  const row = await db
    .selectFrom("sms_opt_outs")
    .select("phone")
    .where("phone", "=", phone)
    .executeTakeFirst();
  return row !== undefined;
}

/** Opts a number out, or in again with null. */
export async function setOptOut(db: Db, phone: string, opted_out_at: Date | null): Promise<void> {
  if (opted_out_at === null) await db.deleteFrom("sms_opt_outs").where("phone", "=", phone).execute();
  else
    await db
      .insertInto("sms_opt_outs")
      .values({ phone, opted_out_at })
      .onConflict((conflict) => conflict.column("phone").doNothing())
      .execute();
}

/** Records a received text message. Returns false for a repeat. */
export async function insertReceived(db: Db, message_sid: string, received_at: Date): Promise<boolean> {
  const row = await db
    .insertInto("sms_received")
    .values({ message_sid, received_at })
    .onConflict((conflict) => conflict.column("message_sid").doNothing())
    .returning("message_sid")
    .executeTakeFirst();
  return row !== undefined;
}
