import { z } from "zod";
import { backtest } from "../../../domain/alerts/backtest/backtest.ts";
import { acknowledgeEvents } from "../../../domain/alerts/events/acknowledge-events.ts";
import { acknowledge, getEvent, listHistory } from "../../../domain/alerts/events/alert-events.ts";
import { exportHistory } from "../../../domain/alerts/events/export-history.ts";
import { fireDrill } from "../../../domain/alerts/events/fire-drill.ts";
import { previewMessages } from "../../../domain/alerts/events/preview/preview-messages.ts";
import * as rules from "../../../domain/alerts/rules.ts";
import {
  AlertEvent,
  EventsAcknowledge,
  EventsAcknowledged,
  HistoryExportQuery,
  HistoryQuery,
  RuleHistoryQuery,
} from "../../../wire/alerts/alert-events.ts";
import { FireDrill } from "../../../wire/alerts/fire-drill.ts";
import { MessagePreviews, PreviewRequest } from "../../../wire/alerts/message-preview.ts";
import { Rule, RuleCreate, RulesQuery, RuleUpdate } from "../../../wire/alerts/rules.ts";
import { BacktestRequest, BacktestResult } from "../../../wire/contracts/live-metrics.ts";
import { Ok } from "../../../wire/primitives.ts";
import { downloadOperation, type Group, listOperation, operation, type Touch } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true } as const;
const writer = { ...reader, role: "member" } as const;
const filtered = { ...reader, scope: "filtered" } as const;

/** Requires the filtered contract to be in scope: an out-of-scope filter is an error, not an empty list. */
const contractInQuery = ({ query }: { query: { contract_id?: string | undefined } }): Touch[] =>
  query.contract_id ? [{ resource: "contract", id: query.contract_id }] : [];
/** A filter by rule must be in scope as well. */
const subjectInQuery = ({
  query,
}: {
  query: { contract_id?: string | undefined; rule_id?: string | undefined };
}): Touch[] => [
  ...contractInQuery({ query }),
  ...(query.rule_id ? [{ resource: "rule", id: query.rule_id } as const] : []),
];
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
        "Creates a rule on a target. It is evaluated from the next block. A rule without a channel needs `record_only: true`: it only records events.",
      policy: writer,
      body: RuleCreate,
      touches: targetInBody,
      reply: Rule,
      errors: ["quota_exceeded", "role_required"],
      handle: ({ app, caller, body }) => rules.createRule(app, caller, body),
    }),

    listOperation({
      route: "GET /alerts",
      id: "listAlertRules",
      hasLargeReply: true,
      summary: "List alert rules",
      description:
        "Returns the rules on contracts that the caller can see, newest first: all of them, or those that match every given filter.",
      policy: filtered,
      touches: contractInQuery,
      query: RulesQuery,
      reply: z.array(Rule),
      list: ({ app, caller, query }) => rules.listRules(app, caller, query),
    }),

    listOperation({
      route: "GET /alerts/history",
      id: "listAlertHistory",
      hasLargeReply: true,
      summary: "List alert events",
      description:
        "Returns events ordered by block time, newest first. Keep `to` constant while paging, beginning with the current time: for 15 " +
        "minutes, pages exclude events that were detected after `to`, so that they do not shift. A `cursor` " +
        "pages without a maximum and without shifts; it replaces `offset`.",
      policy: filtered,
      query: HistoryQuery,
      touches: subjectInQuery,
      reply: z.array(AlertEvent),
      list: ({ app, caller, query }) => listHistory(app, caller, query),
    }),

    downloadOperation({
      route: "GET /alerts/history.csv",
      id: "exportAlertHistory",
      summary: "Export alert events as CSV",
      description:
        "Returns all events that match the filters, newest first, as CSV (RFC 4180, UTF-8) with a header row. Texts that a spreadsheet would " +
        "run as a formula are prefixed with an apostrophe. The file is streamed.",
      policy: filtered,
      query: HistoryExportQuery,
      touches: subjectInQuery,
      download: { type: "text/csv", name: "alerts.csv" },
      produce: ({ app, caller, query }) => exportHistory(app, caller, query),
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
      route: "POST /alerts/preview",
      id: "previewAlertMessages",
      summary: "Preview the messages of a rule",
      description:
        "Returns an example of the message that an alert of the rule would send, for every channel type. The rule need not exist. The " +
        "value is one that fulfils the condition; addresses, amounts and arguments are those of the newest reading of the target. Stores " +
        "nothing and notifies nobody.",
      policy: writer,
      body: PreviewRequest,
      touches: targetInBody,
      reply: MessagePreviews,
      errors: ["not_found"],
      handle: ({ app, caller, body }) => previewMessages(app, caller, body),
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

    listOperation({
      route: "GET /alerts/{rule_id}/history",
      id: "listAlertRuleHistory",
      hasLargeReply: true,
      summary: "List the events of a rule",
      description: "Returns the events of the rule, newest first. Paging works as in `GET /alerts/history`.",
      policy: { ...reader, resource: "rule" },
      query: RuleHistoryQuery,
      touches: contractInQuery,
      reply: z.array(AlertEvent),
      list: ({ app, caller, params, query }) =>
        listHistory(app, caller, { ...query, rule_id: params.rule_id }),
    }),

    operation({
      route: "POST /alerts/{rule_id}/test",
      id: "testAlertRule",
      summary: "Run a fire drill",
      description:
        "Records an event of the kind `test` and notifies the channels of the rule, as for a real alert: minimum severities, " +
        "silences and message limits apply. Every message is marked as a test. The reply lists who would be " +
        "notified and when; the channels of escalation steps are listed but not notified. The event is resolved from the start, " +
        "does not change the state of the rule and does not count in statistics. A rule in shadow mode notifies nobody.",
      policy: { ...writer, resource: "rule" },
      status: 201,
      reply: FireDrill,
      errors: ["rate_limited"],
      handle: ({ app, caller, params }) => fireDrill(app, caller, params.rule_id),
    }),

    operation({
      route: "POST /alerts/events/acknowledge",
      id: "acknowledgeAlertEvents",
      summary: "Acknowledge several events",
      description:
        "Marks up to 100 events as acknowledged by the caller and stops their reminders. Idempotent. If one of them is unknown, none is " +
        "changed.",
      policy: writer,
      body: EventsAcknowledge,
      touches: ({ body }) => body.event_ids.map((id) => ({ resource: "event", id })),
      reply: EventsAcknowledged,
      errors: ["role_required"],
      handle: ({ app, caller, body }) => acknowledgeEvents(app, caller, body),
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
