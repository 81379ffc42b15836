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

/** A filter by contract touches it: asking for what is out of scope is refused rather than answered with nothing. */
const contractAsked = ({ query }: { query: { contract_id?: string | undefined } }): Touch[] =>
  query.contract_id ? [{ resource: "contract", id: query.contract_id }] : [];
const targetAsked = ({ body }: { body: { target_id?: string | undefined } }): Touch[] =>
  body.target_id ? [{ resource: "target", id: body.target_id }] : [];
const eventAsked = ({ params }: { params: { event_id: string } }): Touch[] => [
  { resource: "event", id: params.event_id },
];

export const alertGroup: Group = {
  tag: "Alerts",
  about: "Rules that decide when people are told, and the events that they made.",
  operations: [
    operation({
      route: "POST /alerts",
      id: "createAlertRule",
      summary: "Make an alert rule",
      description: "On a target; it counts from the next block on. Without a channel it records events only.",
      policy: writer,
      body: RuleCreate,
      touches: targetAsked,
      reply: Rule,
      errors: ["quota_exceeded", "role_required"],
      handle: ({ app, caller, body }) => rules.createRule(app, caller, body),
    }),

    operation({
      route: "GET /alerts",
      id: "listAlertRules",
      summary: "List alert rules",
      description: "On contracts that the caller may see, newest first.",
      policy: filtered,
      touches: contractAsked,
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
      summary: "Read the history",
      description:
        "Events, newest first by the time of their block. Pin `to` while paging: what is found after it was first asked for " +
        "stays out of its pages for 15 minutes. Walk `to` back to go deeper than the offset allows. What waited for " +
        "confirmations takes its earlier place when it is shown.",
      policy: filtered,
      query: HistoryQuery,
      touches: contractAsked,
      reply: z.array(AlertEvent),
      handle: ({ app, caller, query }) => listHistory(app, caller, query),
    }),

    operation({
      route: "POST /alerts/backtest",
      id: "backtestAlertRule",
      summary: "Try a rule on the past",
      description:
        "Takes a rule through stored samples with the same evaluator that would run it: episodes, fires a day and a " +
        "threshold with which it would fire at most once a day. How far back depends on the tier.",
      policy: writer,
      body: BacktestRequest,
      touches: targetAsked,
      reply: BacktestResult,
      errors: ["not_found"],
      handle: ({ app, caller, body }) => backtest(app, caller, body),
    }),

    operation({
      route: "GET /alerts/{rule_id}",
      id: "getAlertRule",
      summary: "Get an alert rule",
      description: "With where it stands.",
      policy: { ...reader, resource: "rule" },
      reply: Rule,
      handle: ({ app, caller, params }) => rules.getRule(app, caller, params.rule_id),
    }),

    operation({
      route: "PATCH /alerts/{rule_id}",
      id: "updateAlertRule",
      summary: "Change an alert rule",
      description: "A changed condition or target makes it a new version of itself.",
      policy: { ...writer, resource: "rule" },
      body: RuleUpdate,
      touches: targetAsked,
      reply: Rule,
      handle: ({ app, caller, params, body }) => rules.changeRule(app, caller, params.rule_id, body),
    }),

    operation({
      route: "DELETE /alerts/{rule_id}",
      id: "deleteAlertRule",
      summary: "Remove an alert rule",
      description: "Its events stay in the history.",
      policy: { ...writer, resource: "rule" },
      reply: Ok,
      handle: ({ app, caller, params }) => rules.removeRule(app, caller, params.rule_id),
    }),

    operation({
      route: "GET /alerts/{rule_id}/history",
      id: "listAlertRuleHistory",
      summary: "Read a rule's history",
      description: "Its events, newest first.",
      policy: { ...reader, resource: "rule" },
      query: RuleHistoryQuery,
      touches: contractAsked,
      reply: z.array(AlertEvent),
      handle: ({ app, caller, params, query }) =>
        listHistory(app, caller, { ...query, rule_id: params.rule_id }),
    }),

    operation({
      route: "GET /alerts/events/{event_id}",
      id: "getAlertEvent",
      summary: "Get an event",
      description: "With its explanation.",
      policy: reader,
      touches: eventAsked,
      reply: AlertEvent,
      errors: ["not_found"],
      handle: ({ app, caller, params }) => getEvent(app, caller, params.event_id),
    }),

    operation({
      route: "POST /alerts/events/{event_id}/acknowledge",
      id: "acknowledgeAlertEvent",
      summary: "Acknowledge an event",
      description: "Says that somebody sees to it. Repeating it changes nothing.",
      policy: writer,
      touches: eventAsked,
      reply: AlertEvent,
      errors: ["not_found"],
      handle: ({ app, caller, params }) => acknowledge(app, caller, params.event_id),
    }),
  ],
};
