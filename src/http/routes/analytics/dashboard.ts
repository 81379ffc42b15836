import { dashboardStats } from "../../../domain/analytics/dashboard-stats.ts";
import { viewerOf } from "../../../domain/viewer-of.ts";
import { DashboardStats, StreamQuery } from "../../../wire/analytics/dashboard-stats.ts";
import { type Group, operation, streamOperation } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true, scope: "filtered" } as const;

export const dashboardGroup: Group = {
  tag: "Dashboard",
  about: "Counts and live updates for the dashboard.",
  operations: [
    operation({
      route: "GET /dashboard/stats",
      id: "getDashboardStats",
      summary: "Get dashboard statistics",
      description:
        "Returns counts of contracts, rules, alerts and deliveries of the last 24 hours, chain states and quota, over the contracts that the caller can see.",
      policy: reader,
      reply: DashboardStats,
      handle: ({ app, caller }) => dashboardStats(app, viewerOf(caller)),
    }),

    streamOperation({
      route: "GET /dashboard/stream",
      id: "streamDashboard",
      summary: "Stream live updates",
      description:
        "Server-sent events of the active organisation: `hello`, `alert.fired`, `alert.updated`, `metric`, " +
        "`contract.updated`, `chain.status`, `discovery.updated`, `delivery.failed`, `inbox.received`, `stats`, `reset` and, every 15 " +
        "seconds, `heartbeat`. Send the last `id` as `Last-Event-ID`, or as `last_event_id` in the query, to resume; after `reset`, fetch the full state " +
        "again, because the buffer of 1,000 messages was exceeded. A slow client misses `metric` events, and a client that falls " +
        "far behind is disconnected. The stream ends with the session, the key or the membership.",
      policy: reader,
      query: StreamQuery,
    }),
  ],
};
