import { sql } from "kysely";
import type { Severity } from "../../lib/severity.ts";
import type { Tier } from "../../wire/primitives.ts";
import type { Db } from "../open-store.ts";

/** The number of messages, and of e-mail and text messages among them. */
export type MessageCount = { messages: number; mails_and_texts: number };

/** Returns the tier of each org and what it has sent in the hour. The caller holds the fan-out locks of the orgs. */
export async function listMessageCounts(
  tx: Db,
  org_ids: string[],
  hour: Date,
): Promise<(MessageCount & { org_id: string; tier: Tier })[]> {
  const { rows } = await sql<MessageCount & { org_id: string; tier: Tier }>`
    select o.id as org_id, o.tier, coalesce(m.messages, 0) as messages, coalesce(m.mails_and_texts, 0) as mails_and_texts
    from orgs o left join message_counts m on m.org_id = o.id and m.hour = ${hour}
    where o.id = any(${org_ids}::uuid[])`.execute(tx);
  return rows;
}

export async function addMessageCount(
  tx: Db,
  org_id: string,
  hour: Date,
  added: MessageCount,
): Promise<void> {
  await sql`
    insert into message_counts as m values (${org_id}, ${hour}, ${added.messages}, ${added.mails_and_texts})
    on conflict (org_id, hour) do update set messages = m.messages + excluded.messages,
      mails_and_texts = m.mails_and_texts + excluded.mails_and_texts`.execute(tx);
}

/** Counts one message if it is within the limits. Concurrent calls never exceed them. */
export async function countMessageWithin(
  db: Db,
  org_id: string,
  hour: Date,
  { isMailOrText, limits }: { isMailOrText: boolean; limits: MessageCount },
): Promise<boolean> {
  const mails = isMailOrText ? 1 : 0;
  const { rows } = await sql`
    insert into message_counts as m values (${org_id}, ${hour}, 1, ${mails})
    on conflict (org_id, hour) do update set messages = m.messages + 1, mails_and_texts = m.mails_and_texts + ${mails}
    where m.messages < ${limits.messages} and m.mails_and_texts + ${mails} <= ${limits.mails_and_texts}
    returning 1`.execute(db);
  return rows.length > 0;
}

export type Overflow = {
  org_id: string;
  channel_id: string;
  hour: Date;
  messages: number;
  severity: Severity;
};

/** Adds messages that were not sent, to be summarised after the hour. */
export async function addOverflow(tx: Db, overflow: Overflow): Promise<void> {
  const { org_id, channel_id, hour, messages, severity } = overflow;
  await sql`
    insert into message_overflows as o values (${org_id}, ${channel_id}, ${hour}, ${messages}, ${severity})
    on conflict (channel_id, hour) do update set messages = o.messages + excluded.messages,
      severity = (array['info', 'warning', 'critical'])[greatest(
        array_position(array['info', 'warning', 'critical'], o.severity),
        array_position(array['info', 'warning', 'critical'], excluded.severity))]`.execute(tx);
}

/** Removes up to `limit` overflows of hours that have ended, and returns those of channels that still exist. */
export async function removeOverflows(tx: Db, hour: Date, limit: number): Promise<Overflow[]> {
  const { rows } = await sql<Overflow>`
    with taken as (
      delete from message_overflows where (channel_id, hour) in (
        select channel_id, hour from message_overflows where hour < ${hour}
        order by hour limit ${limit} for update skip locked)
      returning *)
    select t.* from taken t join channels c on c.id = t.channel_id`.execute(tx);
  return rows;
}
