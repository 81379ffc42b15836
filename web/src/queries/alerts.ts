import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, data, type Schemas } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { type Range, startOf } from "@/lib/range.ts";

export type AlertEvent = Schemas["AlertEvent"];
export type Rule = Schemas["AlertRule"];
export type Condition = Schemas["RuleCondition"];
export type Severity = AlertEvent["severity"];

/** Filters of the history that the service applies. */
export type HistoryFilter = {
  severity?: Severity | undefined;
  status?: AlertEvent["status"] | undefined;
  contract_id?: string | undefined;
  chain_id?: number | undefined;
  from?: string | undefined;
  /** The end of the range. It is pinned, so that pages do not shift while new alerts arrive. */
  to: string;
};

const pageSize = 50;
/** The service does not skip more than this many alerts. */
const maxOffset = 10_000;

export const historyQuery = (org: string, filter: HistoryFilter) =>
  infiniteQueryOptions({
    queryKey: keys(org).eventList(filter),
    queryFn: ({ pageParam, signal }) => {
      const query = { ...withoutUndefined(filter), page: pageParam, page_size: pageSize };
      return data(api.GET("/api/v1/analytics/activity", { params: { query }, signal }));
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, total }) =>
      page * pageSize < total && page * pageSize < maxOffset ? page + 1 : undefined,
  });

function withoutUndefined<Value extends object>(value: Value) {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as {
    [Key in keyof Value]: Exclude<Value[Key], undefined>;
  };
}

/** The newest alerts; also what the keys j and k step through. */
export const recentEventsQuery = (org: string) =>
  queryOptions({
    queryKey: [...keys(org).events, "open"],
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/alerts/history", { params: { query: { limit: 200 } }, signal })),
  });

export const eventQuery = (org: string, event_id: string) =>
  queryOptions({
    queryKey: keys(org).event(event_id),
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/alerts/events/{event_id}", { params: { path: { event_id } }, signal })),
  });

export const ruleEventsQuery = (org: string, rule_id: string) =>
  queryOptions({
    queryKey: [...keys(org).events, "some", "rule", rule_id],
    queryFn: ({ signal }) =>
      data(
        api.GET("/api/v1/alerts/{rule_id}/history", {
          params: { path: { rule_id }, query: { limit: 20 } },
          signal,
        }),
      ),
  });

export const contractEventsQuery = (org: string, contract_id: string) =>
  queryOptions({
    queryKey: [...keys(org).events, "some", "contract", contract_id],
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/alerts/history", { params: { query: { contract_id, limit: 100 } }, signal })),
  });

export const rulesQuery = (org: string) =>
  queryOptions({
    queryKey: keys(org).rules,
    queryFn: ({ signal }) => data(api.GET("/api/v1/alerts", { signal })),
  });

/** The rules with the most alerts. Its key is below that of the rules, so that a change of a rule fetches it again. */
export const noisyRulesQuery = (org: string, range: Range) =>
  queryOptions({
    queryKey: [...keys(org).rules, "noisy", range],
    queryFn: ({ signal }) => {
      const from = startOf(range, new Date().toISOString());
      return data(api.GET("/api/v1/analytics/noisy-rules", { params: { query: { from } }, signal }));
    },
  });

export const ruleQuery = (org: string, rule_id: string) =>
  queryOptions({
    queryKey: keys(org).rule(rule_id),
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/alerts/{rule_id}", { params: { path: { rule_id } }, signal })),
  });

export const silencesQuery = (org: string) =>
  queryOptions({
    queryKey: keys(org).silences,
    queryFn: ({ signal }) => data(api.GET("/api/v1/silences", { signal })),
  });

/** What a rule that is being written would send, for every channel type. */
export const messagePreviewQuery = (org: string, body: Schemas["MessagePreviewRequest"]) =>
  queryOptions({
    queryKey: [...keys(org).all, "message-preview", body],
    queryFn: ({ signal }) => data(api.POST("/api/v1/alerts/preview", { body, signal })),
    retry: false,
  });
