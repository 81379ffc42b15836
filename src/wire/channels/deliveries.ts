import { z } from "zod";
import { Severity } from "../alerts/rules.ts";
import { Id, Timestamp } from "../primitives.ts";

const DeliveryStatus = z.enum(["queued", "sending", "sent", "failed", "skipped", "silenced"]).meta({
  description:
    "`queued` waits for its next attempt, `failed` was given up, `skipped` was on purpose not sent, `silenced` was " +
    "held back by a silence.",
  examples: ["sent"],
});

const text = z
  .string()
  .nullable()
  .meta({ examples: [null] });

const Attempt = z.strictObject({
  attempt: z.int().meta({ examples: [1] }),
  started_at: Timestamp,
  latency_ms: z
    .int()
    .nullable()
    .meta({ examples: [120] }),
  result: z.enum(["sent", "retry", "failed", "skipped", "lost"]).meta({
    description: "`lost` when the process that made it ended before it could say how it went.",
    examples: ["sent"],
  }),
  status_code: z
    .int()
    .nullable()
    .describe("What the provider answered.")
    .meta({ examples: [200] }),
  error: text,
  excerpt: text.describe("The beginning of the provider's answer, without secrets."),
});

export const Delivery = z
  .strictObject({
    id: Id.describe("The id that the receiver sees, the same on every attempt."),
    channel_id: Id,
    channel_type: z.string().meta({ examples: ["slack"] }),
    channel_name: z.string().meta({ examples: ["On-call"] }),
    kind: z.enum(["fired", "renotified", "acknowledged", "resolved", "retracted"]),
    severity: Severity,
    event_ids: z.array(Id).describe("What it is about: several when one transaction set off several rules."),
    status: DeliveryStatus,
    last_error: text.describe("Why it is where it is."),
    silence_id: Id.nullable().describe("The silence that held it back."),
    attempts: z.array(Attempt),
    next_attempt_at: Timestamp.nullable(),
    sent_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: "Delivery", description: "One message to one channel, with every attempt to send it." });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryQuery = z.strictObject({
  status: DeliveryStatus.optional().describe("Only deliveries in this state."),
  channel_id: Id.optional().describe("Only deliveries to this channel."),
  event_id: Id.optional().describe("Only deliveries about this event."),
  from: z.iso.datetime({ offset: true }).optional().describe("Not made before this time."),
  to: z.iso.datetime({ offset: true }).optional().describe("Not made after this time. Pin it while paging."),
  limit: z.int().min(1).max(200).default(200).describe("How many deliveries at most."),
  offset: z.int().min(0).max(10_000).default(0).describe("How many newer deliveries to pass over."),
});
export type DeliveryQuery = z.infer<typeof DeliveryQuery>;
