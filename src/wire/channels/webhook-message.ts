import { z } from "zod";
import { Severity } from "../alerts/rules.ts";
import { Id, Timestamp } from "../primitives.ts";

const text = (example: string) => z.string().meta({ examples: [example] });
const link = z
  .string()
  .nullable()
  .meta({ examples: ["https://etherscan.io/address/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"] });

const WebhookAlert = z
  .strictObject({
    event_id: Id,
    severity: Severity,
    rule: z
      .strictObject({ id: Id, name: text("Large withdrawals") })
      .nullable()
      .describe("Null for alerts of the service itself."),
    contract: z
      .strictObject({
        id: Id,
        label: text("Treasury"),
        address: text("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
        url: link,
      })
      .nullable(),
    chain: z.strictObject({
      chain: text("ethereum"),
      name: text("Ethereum"),
      chain_id: z.int().meta({ examples: [1] }),
    }),
    title: text("Large withdrawals: Treasury on Ethereum"),
    message: text("Three withdrawals left the treasury within 5 minutes."),
    value: z
      .number()
      .nullable()
      .meta({ examples: [3] }),
    threshold: z
      .number()
      .nullable()
      .meta({ examples: [3] }),
    clause: z
      .string()
      .nullable()
      .describe("The comparison in words.")
      .meta({ examples: ["3 events, at least 3"] }),
    operator: text("gte"),
    unit: z
      .string()
      .nullable()
      .meta({ examples: ["events"] }),
    window_seconds: z
      .int()
      .nullable()
      .meta({ examples: [300] }),
    target_type: text("event_frequency"),
    decoded: z
      .strictObject({
        name: text("Withdrawal"),
        args: z.array(
          z.strictObject({ name: text("amount"), value: text("1,500 USDC"), label: z.string().optional() }),
        ),
      })
      .nullable()
      .describe("The call or event that caused the alert."),
    transaction: z.strictObject({ hash: text("0x5c504ed4…"), url: link }).nullable(),
    block_number: z
      .int()
      .nullable()
      .meta({ examples: [23812345] }),
    finality: z.enum(["pending", "safe", "finalized", "retracted"]),
    fired_at: Timestamp,
    resolved_at: Timestamp.nullable(),
    acknowledged_by: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    url: link.describe("The page of the event; null if the service has no public URL."),
  })
  .meta({ id: "WebhookAlert" });

const kinds = ["fired", "renotified", "escalated", "acknowledged", "resolved", "retracted", "test"] as const;

/** The body that a channel of the type `webhook` posts. */
export const WebhookMessage = z
  .strictObject({
    type: z.enum(kinds.map((kind) => `alert.${kind}` as const)).meta({
      description: "Why the message is sent; `alert.test` is a test of the channel or a fire drill.",
      examples: ["alert.fired"],
    }),
    timestamp: Timestamp,
    data: z.strictObject({
      org: z.strictObject({ id: Id, name: text("Acme") }),
      severity: Severity.describe("The highest severity of the alerts."),
      alerts: z.array(WebhookAlert).min(1).describe("Several if one transaction fired several rules."),
      alerts_left_out: z
        .int()
        .min(0)
        .meta({ examples: [0] }),
    }),
  })
  .meta({ id: "WebhookMessage", description: "A message of a channel of the type `webhook`." });
