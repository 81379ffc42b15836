import { z } from "zod";
import { getActivity } from "../../../domain/analytics/activity.ts";
import { getAnomalies } from "../../../domain/analytics/anomalies.ts";
import { getNoisyRules } from "../../../domain/analytics/noisy-rules.ts";
import { getPrices, listOracleFeeds } from "../../../domain/analytics/oracle-feeds.ts";
import { Activity, ActivityQuery, Anomalies, AnomaliesQuery } from "../../../wire/analytics/analytics.ts";
import { NoisyRule, NoisyRulesQuery } from "../../../wire/analytics/noisy-rules.ts";
import { OracleFeed, Prices, PricesQuery } from "../../../wire/analytics/oracle-feeds.ts";
import { type Group, operation, type Touch } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true, scope: "filtered" } as const;

/** Requires the filtered contract to be in scope: an out-of-scope filter is an error, not an empty result. */
const contractInQuery = ({ query }: { query: { contract_id?: string | undefined } }): Touch[] =>
  query.contract_id ? [{ resource: "contract", id: query.contract_id }] : [];

export const analyticsGroup: Group = {
  tag: "Analytics",
  about: "Alerts, noisy rules, prices and anomalies over time.",
  operations: [
    operation({
      route: "GET /analytics/activity",
      id: "getActivity",
      hasLargeReply: true,
      summary: "Get alert activity",
      description: "Returns alert counts per bucket and severity, and one page of alerts, newest first.",
      policy: reader,
      query: ActivityQuery,
      touches: contractInQuery,
      reply: Activity,
      handle: ({ app, caller, query }) => getActivity(app, caller, query),
    }),

    operation({
      route: "GET /analytics/oracle-feeds",
      id: "listOracleFeeds",
      hasLargeReply: true,
      summary: "List oracle feeds",
      description:
        "Returns the contracts with an oracle target: price, age relative to the heartbeat, and the aggregator behind the feed.",
      policy: reader,
      reply: z.array(OracleFeed),
      handle: ({ app, caller }) => listOracleFeeds(app, caller),
    }),

    operation({
      route: "GET /analytics/oracle-feeds/{contract_id}/prices",
      id: "getOraclePrices",
      summary: "Get the prices of an oracle feed",
      description:
        "Returns prices per round, anomalies and statistics. A new aggregator behind the feed starts a new phase of round ids " +
        "without a gap in prices. Requires an `oracle_price` target on the contract.",
      policy: { who: "org", org: "active", role: "viewer", keys: true, resource: "contract" },
      query: PricesQuery,
      reply: Prices,
      handle: ({ app, caller, params, query }) => getPrices(app, caller, params.contract_id, query),
    }),

    operation({
      route: "GET /analytics/anomalies",
      id: "getAnomalies",
      summary: "List anomalies",
      description:
        "Returns spikes, drops and silences of counts, deviations, jumps and freezes of levels, and stale feeds. The score is the " +
        "distance from the median of the preceding day in typical deviations, and it determines the severity. Detection needs three " +
        "hours of data.",
      policy: reader,
      query: AnomaliesQuery,
      touches: contractInQuery,
      reply: Anomalies,
      handle: ({ app, caller, query }) => getAnomalies(app, caller, query),
    }),

    operation({
      route: "GET /analytics/noisy-rules",
      id: "listNoisyRules",
      summary: "List noisy rules",
      description:
        "Returns the rules with the most events in the time range, the noisiest first, each with how often it fires per day and a " +
        "threshold with which it would have fired at most once a day on the stored past.",
      policy: reader,
      query: NoisyRulesQuery,
      reply: z.array(NoisyRule),
      handle: ({ app, caller, query }) => getNoisyRules(app, caller, query),
    }),
  ],
};
