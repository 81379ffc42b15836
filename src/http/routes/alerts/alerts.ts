import { z } from "zod";
import { acknowledge, getEvent, listHistory } from "../../../domain/alerts/alert-events.ts";
import { backtest } from "../../../domain/alerts/backtest.ts";
import * as rules from "../../../domain/alerts/rules.ts";
import { AlertEvent, HistoryQuery, RuleHistoryQuery } from "../../../wire/alerts/alert-events.ts";
import { Rule, RuleCreate, RuleUpdate } from "../../../wire/alerts/rules.ts";
import { BacktestRequest, BacktestResult } from "../../../wire/contracts/live-metrics.ts";
import { Id, Ok } from "../../../wire/primitives.ts";
import { type Group, operation, type Touch } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true } as const;
const writer = { ...reader, role: "member" } as const;
const filtered = { ...reader, scope: "filtered" } as const;

/** Requires the filtered contract to be in scope: an out-of-scope filter is an error, not an empty list. */
const contractInQuery = ({ query }: { query: { contract_id?: string | undefined } }): Touch[] =>
  query.contract_id ? [{ resource: "contract", id: query.contract_id }] : [];
const targetInBody = ({ body }: { body: { target_id?: string | undefined } }): Touch[] =>
  body.target_id ? [{ resource: "target", id: body.target_id }] : [];
const eventInPath = ({ params }: { params: { event_id: string } }): Touch[] => [
  { resource: "event", id: params.event_id },
];

export const alertGroup: Group = {
  tag: "Alerts",
  about: "Alert rules and the events that they created.",
  operations: [
    operation({
      route: "POST /alerts",
      id: "createAlertRule",
      summary: "Create an alert rule",
      description:
        "Creates a rule on a target. It is evaluated from the next block. Without a channel it only records events.",
      policy: writer,
      body: RuleCreate,
      touches: targetInBody,
      reply: Rule,
      errors: ["quota_exceeded", "role_required"],
      handle: ({ app, caller, body }) => rules.createRule(app, caller, body),
    }),

    operation({
      route: "GET /alerts",
      id: "listAlertRules",
      hasLargeReply: true,
      summary: "List alert rules",
      description: "Returns the rules on contracts that the caller can see, newest first.",
      policy: filtered,
      touches: contractInQuery,
      query: z.strictObject({
        contract_id: Id.optional().describe("Only rules on this contract."),
        agent_id: Id.optional().describe("Only rules of this agent."),
      }),
      reply: z.array(Rule),
      handle: ({ app, caller, query }) => rules.listRules(app, caller, query),
    }),

    operation({
      route: "GET /alerts/history",
      id: "listAlertHistory",
      hasLargeReply: true,
      summary: "List alert events",
      description:
        "Returns events ordered by block time, newest first. Keep `to` constant while paging, beginning with the current time: for 15 " +
        "minutes, pages exclude events that were detected after `to`, so that they do not shift. Move `to` back to page beyond " +
        "the maximum offset.",
      policy: filtered,
      query: HistoryQuery,
      touches: contractInQuery,
      reply: z.array(AlertEvent),
      handle: ({ app, caller, query }) => listHistory(app, caller, query),
    }),

    operation({
      route: "POST /alerts/backtest",
      id: "backtestAlertRule",
      summary: "Backtest an alert rule",
      description:
        "Evaluates a rule on stored samples with the live evaluator. Returns its episodes, its firing rate and a threshold " +
        "that would fire at most once a day. The retention of the tier limits the time range. Stores nothing.",
      policy: writer,
      body: BacktestRequest,
      touches: targetInBody,
      limits: { deadlineMs: 20_000 },
      reply: BacktestResult,
      errors: ["not_found"],
      handle: ({ app, caller, body }) => backtest(app, caller, body),
    }),

    operation({
      route: "GET /alerts/{rule_id}",
      id: "getAlertRule",
      summary: "Get an alert rule",
      description: "Returns the rule with its current state.",
      policy: { ...reader, resource: "rule" },
      reply: Rule,
      handle: ({ app, caller, params }) => rules.getRule(app, caller, params.rule_id),
    }),

    operation({
      route: "PATCH /alerts/{rule_id}",
      id: "updateAlertRule",
      summary: "Update an alert rule",
      description:
        "Changes the given fields. Changing the condition or the target starts a new version of the rule. A rule of a policy is " +
        "changed through the policy: 409 `managed_by_policy`.",
      policy: { ...writer, resource: "rule" },
      body: RuleUpdate,
      touches: targetInBody,
      reply: Rule,
      errors: ["managed_by_policy"],
      handle: ({ app, caller, params, body }) => rules.changeRule(app, caller, params.rule_id, body),
    }),

    operation({
      route: "DELETE /alerts/{rule_id}",
      id: "deleteAlertRule",
      summary: "Delete an alert rule",
      description:
        "Deletes the rule and ends its open events. Its events remain in the history. A rule of a policy is removed through the " +
        "policy: 409 `managed_by_policy`.",
      policy: { ...writer, resource: "rule" },
      reply: Ok,
      errors: ["managed_by_policy"],
      handle: ({ app, caller, params }) => rules.removeRule(app, caller, params.rule_id),
    }),

    operation({
      route: "GET /alerts/{rule_id}/history",
      id: "listAlertRuleHistory",
      hasLargeReply: true,
      summary: "List the events of a rule",
      description: "Returns the events of the rule, newest first. Paging works as in `GET /alerts/history`.",
      policy: { ...reader, resource: "rule" },
      query: RuleHistoryQuery,
      touches: contractInQuery,
      reply: z.array(AlertEvent),
      handle: ({ app, caller, params, query }) =>
        listHistory(app, caller, { ...query, rule_id: params.rule_id }),
    }),

    operation({
      route: "GET /alerts/events/{event_id}",
      id: "getAlertEvent",
      summary: "Get an event",
      description: "Returns the event with its explanation and deliveries.",
      policy: reader,
      touches: eventInPath,
      reply: AlertEvent,
      errors: ["not_found"],
      handle: ({ app, caller, params }) => getEvent(app, caller, params.event_id),
    }),

    operation({
      route: "POST /alerts/events/{event_id}/acknowledge",
      id: "acknowledgeAlertEvent",
      summary: "Acknowledge an event",
      description: "Marks the event as acknowledged by the caller and stops its reminders. Idempotent.",
      policy: writer,
      touches: eventInPath,
      reply: AlertEvent,
      errors: ["not_found"],
      handle: ({ app, caller, params }) => acknowledge(app, caller, params.event_id),
    }),
  ],
};
