import { type RawBuilder, sql } from "kysely";
import type { Severity } from "../../lib/severity.ts";
import { seesEveryAlert } from "../delivery/deliveries.ts";
import type { Db } from "../open-store.ts";
import { isScopedKey, isUnrestricted, type Viewer } from "../viewer.ts";

/** A message with what the viewer needs to show it. */
export type InboxRow = {
  id: string;
  channel_id: string;
  channel_name: string;
  kind: "fired" | "renotified" | "escalated" | "resolved" | "retracted" | "test";
  severity: Severity;
  title: string;
  message: string;
  event_ids: string[];
  is_read: boolean;
  received_at: Date;
};

export type NewInboxMessage = Omit<InboxRow, "kind" | "channel_name" | "event_ids" | "is_read"> & {
  org_id: string;
  delivery_id: string | null;
  kind: string;
};

export type InboxFilter = {
  is_unread?: boolean | undefined;
  to?: string | undefined;
  limit: number;
  offset: number;
};

/** More unread messages than these are not counted. */
export const maxUnread = 1_000;

/**
 * Stores a message once, however often it is sent. Without the channel, which is being tested before it is saved or was deleted
 * meanwhile, there is no inbox to store it in.
 */
export async function insertInboxMessage(db: Db, message: NewInboxMessage): Promise<void> {
  const { channel_id } = message;
  const channel = await db
    .selectFrom("channels")
    .select("id")
    .where("id", "=", channel_id)
    .executeTakeFirst();
  if (!channel) return;
  await db
    .insertInto("inbox_messages")
    .values(message)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** Lists messages, newest first, as one reader sees them; `user_id` is null for an API key, which reads none. */
export async function listInbox(
  db: Db,
  viewer: Viewer,
  user_id: string | null,
  { is_unread, to, limit, offset }: InboxFilter,
): Promise<InboxRow[]> {
  const wanted = [
    ...conditions(viewer),
    ...(is_unread === undefined ? [] : [is_unread ? sql`not ${isRead(user_id)}` : isRead(user_id)]),
    ...(to ? [sql`i.received_at <= ${new Date(to)}`] : []),
  ];
  const { rows } = await sql<InboxRow>`
    select i.id, i.channel_id, ch.name as channel_name, i.kind, i.severity, i.title, i.message, i.received_at,
      ${isRead(user_id)} as is_read, array(
        select l.event_id from delivery_notices l
        where l.delivery_id = i.delivery_id and l.event_id is not null order by l.notice_id) as event_ids
    from inbox_messages i join channels ch on ch.id = i.channel_id
    where ${sql.join(wanted, sql` and `)}
    order by i.received_at desc, i.id desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** Counts the messages that a reader has not read, up to `maxUnread`. */
export async function countUnread(db: Db, viewer: Viewer, user_id: string | null): Promise<number> {
  const wanted = [...conditions(viewer), sql`not ${isRead(user_id)}`];
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from (
      select 1 from inbox_messages i where ${sql.join(wanted, sql` and `)} limit ${maxUnread}) found`.execute(
    db,
  );
  return rows[0]?.unread ?? 0;
}

/** Marks messages that the viewer sees as read: those with the ids, or all that were received until a time. */
export async function markRead(
  db: Db,
  viewer: Viewer,
  user_id: string,
  which: { message_ids: string[] } | { until: Date },
): Promise<void> {
  const chosen =
    "until" in which ? sql`i.received_at <= ${which.until}` : sql`i.id = any(${which.message_ids}::uuid[])`;
  await sql`
    insert into inbox_reads (user_id, message_id)
    select ${user_id}, i.id from inbox_messages i where ${sql.join([...conditions(viewer), chosen], sql` and `)}
    on conflict do nothing`.execute(db);
}

/** The messages of ids with the contracts that they are about, for the live stream. */
export async function listInboxSubjects(
  db: Db,
  org_id: string,
  ids: string[],
): Promise<{ id: string; contract_ids: string[] }[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string; contract_ids: string[] }>`
    select i.id, array(
      select distinct n.contract_id from delivery_notices n
      where n.delivery_id = i.delivery_id and n.contract_id is not null) as contract_ids
    from inbox_messages i where i.org_id = ${org_id} and i.id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

function conditions(viewer: Viewer): RawBuilder<unknown>[] {
  return [sql`i.org_id = ${viewer.org_id}`, ...(isUnrestricted(viewer) ? [] : [isVisibleMessage(viewer)])];
}

/** The test of a channel is about no contract, so that a restricted key does not see it. */
function isVisibleMessage(viewer: Viewer): RawBuilder<unknown> {
  const seen = seesEveryAlert(viewer, sql`i.delivery_id`);
  return isScopedKey(viewer) ? seen : sql`(i.delivery_id is null or ${seen})`;
}

function isRead(user_id: string | null): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from inbox_reads r where r.message_id = i.id and r.user_id = ${user_id}::uuid)`;
}
