import { getInbox, readInbox } from "../../../domain/channels/inbox.ts";
import { Inbox, InboxCount, InboxQuery, InboxRead } from "../../../wire/channels/inbox.ts";
import { type Group, operation } from "../../operation.ts";

export const inboxGroup: Group = {
  tag: "Inbox",
  about: "Messages of channels of the type `inbox`, which the dashboard shows.",
  operations: [
    operation({
      route: "GET /inbox",
      id: "getInbox",
      hasLargeReply: true,
      summary: "Get the inbox",
      description:
        "Returns messages about alerts on contracts that the caller can see, newest first. Each person has read messages of their own; for an API key all are unread. Messages are kept as long as the history.",
      policy: { who: "org", org: "active", role: "viewer", keys: true, scope: "filtered" },
      query: InboxQuery,
      reply: Inbox,
      handle: ({ app, caller, query }) => getInbox(app, caller, query),
    }),

    operation({
      route: "POST /inbox/read",
      id: "markInboxRead",
      summary: "Mark messages as read",
      description: "Marks messages as read by the caller only; colleagues still see them as unread.",
      policy: { who: "org", org: "active", role: "viewer", keys: false },
      body: InboxRead,
      reply: InboxCount,
      handle: ({ app, caller, body }) => readInbox(app, caller, body),
    }),
  ],
};
