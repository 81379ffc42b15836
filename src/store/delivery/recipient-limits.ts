import { sql } from "kysely";
import type { Db } from "../open-store.ts";

export type RecipientLimits = {
  /** An org may send while the others together have sent fewer messages in the hour; its own limit is that of its tier. */
  ofOthers: number;
  /** What an org may send beyond that, so that others cannot keep its alerts from the recipient. */
  reserved: number;
  /** The orgs per hour that nobody exceeds. */
  orgs: number;
};

type Counted = { recipient: string; hour: Date; org_id: string };

/** Counts a message if it is within the limits. Concurrent calls never exceed them. */
export async function countRecipientMessage(
  db: Db,
  { recipient, hour, org_id }: Counted,
  { ofOthers, reserved, orgs }: RecipientLimits,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('tocsin.recipient ' || ${recipient}::text, 0))`.execute(
      tx,
    );
    const { rows } = await sql`
      insert into recipient_messages as m (recipient, hour, org_id, messages)
      select ${recipient}, ${hour}, ${org_id}, 1 from (
        select coalesce(sum(messages) filter (where org_id <> ${org_id}), 0) as by_others,
          coalesce(sum(messages) filter (where org_id = ${org_id}), 0) as by_org,
          count(*) filter (where org_id <> ${org_id} and messages > 0) as other_orgs
        from recipient_messages where recipient = ${recipient} and hour = ${hour}) counted
      where by_others < ${ofOthers} or (by_org < ${reserved} and other_orgs < ${orgs})
      on conflict (recipient, hour, org_id) do update set messages = m.messages + 1
      returning 1`.execute(tx);
    return rows.length > 0;
  });
}

/** Uncounts a message that was not sent. */
export async function uncountRecipientMessage(db: Db, { recipient, hour, org_id }: Counted): Promise<void> {
  await sql`
    update recipient_messages set messages = messages - 1
    where recipient = ${recipient} and hour = ${hour} and org_id = ${org_id} and messages > 0`.execute(db);
}

export type RecipientOverflow = {
  recipient: string;
  hour: Date;
  channel_type: "email" | "sms";
  address: string;
  messages: number;
};

/** Adds a message that was not sent, to be summarised after the hour. */
export async function addRecipientOverflow(
  db: Db,
  { recipient, hour, channel_type, address }: Omit<RecipientOverflow, "messages">,
): Promise<void> {
  await sql`
    insert into recipient_overflows as o (recipient, hour, channel_type, address, messages)
    values (${recipient}, ${hour}, ${channel_type}, ${address}, 1)
    on conflict (recipient, hour) do update set messages = o.messages + 1`.execute(db);
}

/** Removes one from an overflow: the message is sent again, and counted again if it is left out then. */
export async function removeRecipientOverflow(db: Db, recipient: string, hour: Date): Promise<void> {
  await sql`
    update recipient_overflows set messages = messages - 1
    where recipient = ${recipient} and hour = ${hour} and messages > 0`.execute(db);
}

/** Removes up to `limit` overflows of hours that have ended, and returns those with messages. */
export async function removeRecipientOverflows(
  tx: Db,
  hour: Date,
  limit: number,
): Promise<RecipientOverflow[]> {
  const { rows } = await sql<RecipientOverflow>`
    delete from recipient_overflows where (recipient, hour) in (
      select recipient, hour from recipient_overflows where hour < ${hour}
      order by hour limit ${limit} for update skip locked)
    returning *`.execute(tx);
  return rows.filter(({ messages }) => messages > 0);
}
