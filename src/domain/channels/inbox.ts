import type { App } from "../../app.ts";
import { countUnread, type InboxRow, listInbox, markRead } from "../../store/channels/inbox.ts";
import type { Inbox, InboxCount, InboxMessage, InboxQuery, InboxRead } from "../../wire/channels/inbox.ts";
import type { MemberCaller, OrgCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";
import { viewerOf } from "../viewer-of.ts";

/** Returns messages that the caller can see, and how many of all are unread. */
export async function getInbox(app: App, caller: OrgCaller, query: InboxQuery): Promise<Inbox> {
  const [viewer, reader] = [viewerOf(caller), caller.user_id];
  const [unread, rows] = [
    await countUnread(app.db, viewer, reader),
    await listInbox(app.db, viewer, reader, query),
  ];
  return { unread, messages: rows.map(toMessage) };
}

/** Marks messages as read by the caller. */
export async function readInbox(app: App, caller: MemberCaller, input: InboxRead): Promise<InboxCount> {
  const which = input.message_ids
    ? { message_ids: input.message_ids }
    : { until: new Date(input.until ?? app.clock.now()) };
  return inTransaction(app, caller, async (tx) => {
    const viewer = viewerOf(caller);
    await markRead(tx, viewer, caller.user_id, which);
    return { unread: await countUnread(tx, viewer, caller.user_id) };
  });
}

function toMessage({ received_at, ...row }: InboxRow): InboxMessage {
  return { ...row, received_at: received_at.toISOString() };
}
