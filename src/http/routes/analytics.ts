import { getActivity } from "../../domain/activity.ts";
import { Activity, ActivityQuery } from "../../wire/analytics.ts";
import { type Group, operation, type Touch } from "../operation.ts";

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
  ],
};
