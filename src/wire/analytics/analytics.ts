import { z } from "zod";
import { AlertEvent } from "../alerts/alert-events.ts";
import { Severity } from "../alerts/rules.ts";
import { Id, Timestamp } from "../primitives.ts";
import { AnomalyType } from "./oracle-feeds.ts";

const time = z.iso.datetime({ offset: true });

/** What the analytics are asked with; the offset that a page leads to is bounded. */
export const analyticsQuery = {
  contract_id: Id.optional().describe("Only of this contract."),
  chain_id: z
    .int()
    .positive()
    .optional()
    .describe("Only of contracts on this chain.")
    .meta({ examples: [1] }),
  severity: Severity.optional().describe("Only of this severity."),
  from: time.optional().describe("Not before this time; seven days before `to` unless said."),
  to: time.optional().describe("Before this time; now unless said. Pin it while paging."),
  page: z
    .int()
    .min(1)
    .max(10_001)
    .default(1)
    .describe("Which page, from 1; the offset it leads to is at most 10,000."),
  page_size: z.int().min(1).max(100).default(25).describe("How many on a page."),
};

export const Bucket = z.enum(["minute", "hour", "day", "week", "month"]);

export const ActivityQuery = z.strictObject({
  ...analyticsQuery,
  target_type: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("Only of targets of this type.")
    .meta({ examples: ["tx_rate"] }),
  bucket: Bucket.optional().describe("How wide a bucket is, in UTC; chosen by the span unless said."),
});
export type ActivityQuery = z.output<typeof ActivityQuery>;

const count = z
  .int()
  .min(0)
  .meta({ examples: [3] });

export const Activity = z
  .strictObject({
    buckets: z
      .array(
        z.strictObject({
          at: Timestamp,
          counts: z.strictObject({ info: count, warning: count, critical: count }),
          total: count,
        }),
      )
      .describe("Every bucket of the span, empty ones too, oldest first."),
    items: z.array(AlertEvent).describe("The page's alerts, newest first."),
    page: z.int().meta({ examples: [1] }),
    page_size: z.int().meta({ examples: [25] }),
    total: count,
  })
  .meta({ id: "Activity", description: "What happened, by time and one by one." });
export type Activity = z.infer<typeof Activity>;

export const AnomaliesQuery = z.strictObject({
  ...analyticsQuery,
  anomaly_type: AnomalyType.optional().describe("Only of this kind."),
});
export type AnomaliesQuery = z.output<typeof AnomaliesQuery>;

export const Anomalies = z
  .strictObject({
    summary: z.strictObject({
      total: count,
      by_kind: z.record(z.string(), count).meta({ examples: [{ spike: 2, stale: 1 }] }),
      by_severity: z.strictObject({ info: count, warning: count, critical: count }),
    }),
    items: z.array(
      z.strictObject({
        id: Id,
        contract_id: Id,
        chain_id: z.int().meta({ examples: [1] }),
        target_id: Id,
        anomaly_type: AnomalyType,
        severity: Severity,
        score: z.number().meta({ description: "Usual deviations away from the usual.", examples: [8.4] }),
        value: z.number().meta({ examples: [412] }),
        expected: z.number().meta({ examples: [6] }),
        at: Timestamp,
      }),
    ),
    trend: z
      .array(z.strictObject({ at: Timestamp, count }))
      .describe("By the hour up to a week, by the day beyond."),
    page: z.int().meta({ examples: [1] }),
    page_size: z.int().meta({ examples: [25] }),
    total: count,
  })
  .meta({ id: "Anomalies", description: "What was unusual." });
export type Anomalies = z.infer<typeof Anomalies>;
