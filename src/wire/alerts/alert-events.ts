import { z } from "zod";
import { DeliveryStatus } from "../channels/deliveries.ts";
import { ChainKey } from "../contracts/chains.ts";
import { Cursor } from "../paging.ts";
import { Id, Timestamp } from "../primitives.ts";
import { withTimeRange } from "../time-range.ts";
import { Explanation } from "./explanation.ts";
import { RuleCondition } from "./rule-condition.ts";
import { Severity } from "./rules.ts";

const Delivery = z.strictObject({
  channel_id: Id,
  channel_type: z.string().meta({ examples: ["slack"] }),
  status: DeliveryStatus,
  attempts: z.int(),
  last_error: z
    .string()
    .nullable()
    .meta({ examples: [null] }),
  sent_at: Timestamp.nullable(),
});

/** The deliveries that an event shows. */
export const maxDeliveries = 100;

const EventKind = z.enum(["fired", "no_data", "error", "test"]).meta({
  description:
    "`fired`: the condition of a rule held; `no_data`: a target has no readings; `error`: something keeps the service from monitoring; " +
    "`test`: a fire drill.",
  examples: ["fired"],
});
export const EventStatus = z.enum(["firing", "occurred", "acknowledged", "resolved", "retracted"]).meta({
  description:
    "`occurred` is an event of a rule with the aggregation `each`: it has nothing to resolve. `retracted`: a reorganisation removed the block.",
  examples: ["firing"],
});

/** One episode of a rule, from firing to resolution, or one occurrence. */
export const AlertEvent = z
  .strictObject({
    id: Id,
    kind: EventKind,
    status: EventStatus,
    rule_id: Id.nullable(),
    rule_name: z.string().meta({ examples: ["Large withdrawals"] }),
    contract_id: Id.nullable(),
    agent_id: Id.nullable().meta({ examples: [null] }),
    chain: z.string().meta({ examples: ["ethereum"] }),
    chain_id: z.int().meta({ examples: [1] }),
    target_id: Id.nullable(),
    target_type: z.string().meta({ examples: ["event_frequency"] }),
    severity: Severity,
    title: z.string().meta({ examples: ["Large withdrawals: USDC on Ethereum"] }),
    message: z
      .string()
      .meta({ examples: ["Events of USDC on Ethereum: count over 300 s is 3: at least 3."] }),
    value: z
      .number()
      .nullable()
      .meta({ examples: [3] }),
    threshold: z
      .number()
      .nullable()
      .meta({ examples: [3] }),
    operator: RuleCondition.shape.operator,
    unit: z
      .string()
      .nullable()
      .meta({ examples: ["events"] }),
    window_seconds: z
      .int()
      .nullable()
      .describe("Null for a rule with the aggregation `each`, which has no window.")
      .meta({ examples: [300] }),
    fired_at: Timestamp,
    detected_at: Timestamp,
    resolved_at: Timestamp.nullable(),
    acknowledged_at: Timestamp.nullable(),
    acknowledged_by: Id.nullable(),
    block_number: z
      .int()
      .nullable()
      .meta({ examples: [23812345] }),
    block_hash: z
      .string()
      .nullable()
      .meta({ examples: ["0x88e96d4537bea4d9c05d12549907b32561d3bf31f45aae734cdc119f13406cb6"] }),
    group: z
      .string()
      .nullable()
      .describe(
        "The group that the event is about, for a rule with `group_by`: a sender or the value of an argument.",
      )
      .meta({ examples: [null] }),
    tx_hash: z
      .string()
      .nullable()
      .meta({ examples: ["0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060"] }),
    log_index: z
      .int()
      .nullable()
      .meta({ examples: [7] }),
    finality: z.enum(["pending", "safe", "finalized", "retracted"]),
    explanation: Explanation,
    deliveries: z
      .array(Delivery)
      .describe(
        `The newest delivery to each channel: at most ${maxDeliveries}, those that were not sent first. \`GET /deliveries\` with ` +
          "`event_id` lists all.",
      ),
    created_at: Timestamp,
  })
  .meta({
    id: "AlertEvent",
    description: "An episode of a rule, from firing to resolution, or a single occurrence.",
  });
export type AlertEvent = z.infer<typeof AlertEvent>;

export const EventsAcknowledge = z
  .strictObject({ event_ids: z.array(Id).min(1).max(100).describe("Events to acknowledge.") })
  .meta({ id: "EventsAcknowledge" });
export type EventsAcknowledge = z.infer<typeof EventsAcknowledge>;

export const EventsAcknowledged = z
  .strictObject({
    acknowledged: z.array(Id).describe("Events that the request acknowledged."),
    unchanged: z
      .array(Id)
      .describe("Events that were acknowledged, resolved or retracted before.")
      .meta({ examples: [[]] }),
  })
  .meta({ id: "EventsAcknowledged" });
export type EventsAcknowledged = z.infer<typeof EventsAcknowledged>;

const shared = {
  contract_id: Id.optional().describe("Only events of this contract."),
  severity: Severity.optional().describe("Only events of this severity."),
  from: z.iso.datetime({ offset: true }).optional().describe("Start of the time range, inclusive."),
  to: z.iso
    .datetime({ offset: true })
    .optional()
    .describe("End of the time range, inclusive. Keep it constant while paging."),
  limit: z.int().min(1).max(200).default(200).describe("Maximum number of events."),
  offset: z.int().min(0).max(10_000).default(0).describe("Number of newer events to skip."),
  cursor: Cursor.optional(),
  status: EventStatus.optional().describe("Only events with this status."),
  kind: EventKind.optional().describe("Only events of this kind."),
  chain: ChainKey.optional().describe("Only events on this chain."),
  target_type: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("Only events of targets of this type.")
    .meta({ examples: ["tx_rate"] }),
  acknowledged: z
    .boolean()
    .optional()
    .describe("If true, only acknowledged events; if false, only those that nobody has acknowledged."),
};

const AnyHistoryQuery = z.strictObject({
  ...shared,
  agent_id: Id.optional().describe("Only events of this agent's rules."),
  rule_id: Id.optional().describe("Only events of this rule."),
});

export const HistoryQuery = withTimeRange(AnyHistoryQuery);
export type HistoryQuery = z.infer<typeof HistoryQuery>;

export const HistoryExportQuery = withTimeRange(
  AnyHistoryQuery.omit({ limit: true, offset: true, cursor: true }),
);
export type HistoryExportQuery = z.infer<typeof HistoryExportQuery>;

export const RuleHistoryQuery = withTimeRange(z.strictObject(shared));
export type RuleHistoryQuery = z.infer<typeof RuleHistoryQuery>;
