import { queryOptions } from "@tanstack/react-query";
import { api, data, type Schemas } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";

export type InboxMessage = Schemas["InboxMessage"];

/** The number of unread messages, for the menu. */
export const unreadQuery = (org: string) =>
  queryOptions({
    queryKey: [...keys(org).inbox, "unread"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/inbox", { params: { query: { limit: 1 } }, signal })),
    select: ({ unread }) => unread,
  });

/** The newest messages, with the number of all unread ones. */
export const inboxQuery = (org: string) =>
  queryOptions({
    queryKey: [...keys(org).inbox, "newest"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/inbox", { params: { query: { limit: 100 } }, signal })),
  });
