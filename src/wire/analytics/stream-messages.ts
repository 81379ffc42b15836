import { z } from "zod";
import { AlertEvent } from "../alerts/alert-events.ts";
import { ChainInfo } from "../contracts/chains.ts";
import { Contract } from "../contracts/contracts.ts";
import { WalletDiscovery } from "../imports/discoveries.ts";
import { Id, Timestamp } from "../primitives.ts";
import { DashboardStats } from "./dashboard-stats.ts";

/** The data of each kind of message of the stream. */
const payloads = {
  hello: z.strictObject({
    org_id: Id,
    at: Timestamp,
    heartbeat_seconds: z.number().meta({ examples: [15] }),
    resumed: z.boolean().describe("True if the stream continues after the last id that was sent."),
  }),
  "alert.fired": AlertEvent,
  "alert.updated": AlertEvent,
  metric: z.strictObject({
    target_id: Id,
    contract_id: Id,
    value: z.number().meta({ examples: [12] }),
    unit: z
      .string()
      .nullable()
      .meta({ examples: ["transactions"] }),
    at: Timestamp,
  }),
  "contract.updated": z.union([Contract, z.strictObject({ id: Id, is_deleted: z.literal(true) })]),
  "chain.status": ChainInfo.pick({
    chain: true,
    chain_id: true,
    state: true,
    head_block: true,
    lag_seconds: true,
  }),
  "discovery.updated": WalletDiscovery.omit({ results: true }),
  "delivery.failed": z.strictObject({
    delivery_id: Id,
    channel_id: Id.nullable(),
    channel_type: z.string().meta({ examples: ["slack"] }),
    channel_name: z.string().meta({ examples: ["On-call"] }),
    last_error: z
      .string()
      .nullable()
      .meta({ examples: ["The server replied with 404."] }),
    attempts: z.int(),
    event_ids: z.array(Id),
  }),
  "inbox.received": z.strictObject({ message_id: Id }),
  stats: DashboardStats,
  reset: z.strictObject({ reason: z.string().meta({ examples: ["message buffer exceeded"] }) }),
  heartbeat: z.strictObject({ at: Timestamp }),
};

const messageOf = <Name extends string, Data extends z.ZodType>(event: Name, data: Data) =>
  z
    .strictObject({
      event: z.literal(event),
      id: z
        .string()
        .describe("Send the last one as `Last-Event-ID` to resume.")
        .meta({ examples: ["42"] }),
      data,
    })
    .meta({ id: `${nameOf(event)}Message` });

/** `alert.fired` becomes `AlertFired`. */
function nameOf(event: string): string {
  return event.replace(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** One event of the stream: its fields `event` and `id`, and its `data` parsed as JSON. */
export const StreamMessage = z
  .discriminatedUnion("event", [
    messageOf("hello", payloads.hello),
    messageOf("alert.fired", payloads["alert.fired"]),
    messageOf("alert.updated", payloads["alert.updated"]),
    messageOf("metric", payloads.metric),
    messageOf("contract.updated", payloads["contract.updated"]),
    messageOf("chain.status", payloads["chain.status"]),
    messageOf("discovery.updated", payloads["discovery.updated"]),
    messageOf("delivery.failed", payloads["delivery.failed"]),
    messageOf("inbox.received", payloads["inbox.received"]),
    messageOf("stats", payloads.stats),
    messageOf("reset", payloads.reset),
    messageOf("heartbeat", payloads.heartbeat),
  ])
  .meta({
    id: "StreamMessage",
    description: "An event of the stream: its fields `event` and `id`, and its `data` parsed as JSON.",
  });
