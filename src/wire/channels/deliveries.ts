import { z } from "zod";
import { Severity } from "../alerts/rules.ts";
import { Cursor } from "../paging.ts";
import { Id, Timestamp } from "../primitives.ts";
import { withTimeRange } from "../time-range.ts";

export const DeliveryStatus = z.enum(["queued", "sending", "sent", "failed", "skipped", "silenced"]).meta({
  description:
    "`queued`: waits for its next attempt; `failed`: no attempts left; `skipped`: deliberately not sent; " +
    "`silenced`: suppressed by a silence.",
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
    description: "`lost` if the process ended before it recorded the result.",
    examples: ["sent"],
  }),
  status_code: z
    .int()
    .nullable()
    .describe("HTTP status code of the provider.")
    .meta({ examples: [200] }),
  error: text,
  excerpt: text.describe("First characters of the provider's response, with secrets removed."),
});

/** A delivery that is replayed again and again has any number of attempts. */
export const maxAttempts = 20;

export const Delivery = z
  .strictObject({
    id: Id.describe("Delivery id that the receiver sees; the same for every attempt."),
    channel_id: Id,
    channel_type: z.string().meta({ examples: ["slack"] }),
    channel_name: z.string().meta({ examples: ["On-call"] }),
    kind: z.enum(["fired", "renotified", "escalated", "acknowledged", "resolved", "retracted", "test"]),
    severity: Severity,
    event_ids: z.array(Id).describe("Ids of the events; several if one transaction fired several rules."),
    status: DeliveryStatus,
    last_error: text.describe("Reason for the current status."),
    silence_id: Id.nullable().describe("Silence that suppressed the delivery."),
    attempts: z
      .array(Attempt)
      .describe(`The newest ${maxAttempts} attempts, in order; their numbers say how many there were.`),
    next_attempt_at: Timestamp.nullable(),
    sent_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: "Delivery", description: "One message to one channel, with every attempt to send it." });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryQuery = withTimeRange(
  z.strictObject({
    status: DeliveryStatus.optional().describe("Only deliveries with this status."),
    channel_id: Id.optional().describe("Only deliveries to this channel."),
    event_id: Id.optional().describe("Only deliveries about this event."),
    from: z.iso
      .datetime({ offset: true })
      .optional()
      .describe("Start of the range of creation times, inclusive."),
    to: z.iso
      .datetime({ offset: true })
      .optional()
      .describe("End of the range of creation times, inclusive. Keep it constant while paging."),
    limit: z.int().min(1).max(200).default(200).describe("Maximum number of deliveries."),
    offset: z.int().min(0).max(10_000).default(0).describe("Number of newer deliveries to skip."),
    cursor: Cursor.optional(),
  }),
);
export type DeliveryQuery = z.infer<typeof DeliveryQuery>;
