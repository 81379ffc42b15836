import { dashboardStats } from "../../../domain/analytics/dashboard-stats.ts";
import { viewerOf } from "../../../domain/viewer-of.ts";
import { DashboardStats } from "../../../wire/analytics/dashboard-stats.ts";
import { type Group, operation, streamOperation } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true, scope: "filtered" } as const;

export const dashboardGroup: Group = {
  tag: "Dashboard",
  about: "What goes on, in numbers and as it happens.",
  operations: [
    operation({
      route: "GET /dashboard/stats",
      id: "getDashboardStats",
      summary: "Numbers of the dashboard",
      description:
        "Contracts, rules, a day's alerts and deliveries, chains and quota: counts of what the caller sees.",
      policy: reader,
      reply: DashboardStats,
      handle: ({ app, caller }) => dashboardStats(app, viewerOf(caller)),
    }),

    streamOperation({
      route: "GET /dashboard/stream",
      id: "streamDashboard",
      summary: "Watch as it happens",
      description:
        "Server-sent events of the active organisation: `hello`, `alert.fired`, `alert.updated`, `metric`, " +
        "`contract.updated`, `chain.status`, `discovery.updated`, `delivery.failed`, `stats`, `reset` and, every 15 " +
        "seconds, `heartbeat`. Send the last `id` as `Last-Event-ID` to go on where you left off; after `reset` read " +
        "everything anew, since more happened than is kept (1,000 messages). Readings are left out for a client that does " +
        "not keep up, and one that falls far behind is closed. The stream ends when the session, the key or the membership does.",
      policy: reader,
    }),
  ],
};
