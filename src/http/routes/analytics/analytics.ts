import { z } from "zod";
import { getActivity } from "../../../domain/analytics/activity.ts";
import { getAnomalies } from "../../../domain/analytics/anomalies.ts";
import { getPrices, listOracleFeeds } from "../../../domain/analytics/oracle-feeds.ts";
import { Activity, ActivityQuery, Anomalies, AnomaliesQuery } from "../../../wire/analytics/analytics.ts";
import { OracleFeed, Prices, PricesQuery } from "../../../wire/analytics/oracle-feeds.ts";
import { type Group, operation, type Touch } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true, scope: "filtered" } as const;

/** Asking for what is out of a key's scope is refused rather than answered with nothing. */
const contractAsked = ({ query }: { query: { contract_id?: string | undefined } }): Touch[] =>
  query.contract_id ? [{ resource: "contract", id: query.contract_id }] : [];

export const analyticsGroup: Group = {
  tag: "Analytics",
  about: "What happened over time.",
  operations: [
    operation({
      route: "GET /analytics/activity",
      id: "getActivity",
      summary: "Activity over time",
      description: "Alerts by bucket and severity, and one page of them, newest first.",
      policy: reader,
      query: ActivityQuery,
      touches: contractAsked,
      reply: Activity,
      handle: ({ app, caller, query }) => getActivity(app, caller, query),
    }),

    operation({
      route: "GET /analytics/oracle-feeds",
      id: "listOracleFeeds",
      summary: "Watched price feeds",
      description:
        "Contracts with an oracle target: price, age against the heartbeat, and the aggregator behind the feed.",
      policy: reader,
      reply: z.array(OracleFeed),
      handle: ({ app, caller }) => listOracleFeeds(app, caller),
    }),

    operation({
      route: "GET /analytics/oracle-feeds/{contract_id}/prices",
      id: "getOraclePrices",
      summary: "Prices of a feed",
      description:
        "By round, with what was unusual and statistics. A new aggregator behind the feed begins a new phase of round " +
        "numbers; the prices go on. The contract needs an `oracle_price` target to have any.",
      policy: { who: "org", org: "active", role: "viewer", keys: true, resource: "contract" },
      query: PricesQuery,
      reply: Prices,
      handle: ({ app, caller, params, query }) => getPrices(app, caller, params.contract_id, query),
    }),

    operation({
      route: "GET /analytics/anomalies",
      id: "getAnomalies",
      summary: "What was unusual",
      description:
        "Counts that spike or drop, things that fall silent, levels that deviate, jump or freeze, feeds that are stale. Scores are " +
        "usual deviations away from the median of the day before; the severity follows the score. Nothing is judged before " +
        "three hours are known.",
      policy: reader,
      query: AnomaliesQuery,
      touches: contractAsked,
      reply: Anomalies,
      handle: ({ app, caller, query }) => getAnomalies(app, caller, query),
    }),
  ],
};
