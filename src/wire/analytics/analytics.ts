import { z } from "zod";
import { AlertEvent, EventStatus } from "../alerts/alert-events.ts";
import { Severity } from "../alerts/rules.ts";
import { Id, Timestamp } from "../primitives.ts";
import { AnomalyType } from "./oracle-feeds.ts";

const time = z.iso.datetime({ offset: true });

/** Query parameters shared by the analytics operations. The offset of a page is bounded. */
export const analyticsQuery = {
  contract_id: Id.optional().describe("Only results of this contract."),
  chain_id: z
    .int()
    .positive()
    .optional()
    .describe("Only results of contracts on this chain.")
    .meta({ examples: [1] }),
  severity: Severity.optional().describe("Only results of this severity."),
  from: time.optional().describe("Start of the time range, inclusive; defaults to seven days before `to`."),
  to: time
    .optional()
    .describe(
      "End of the time range, exclusive; defaults to now, or to the newest block if its time is ahead. Keep it constant while paging.",
    ),
  page: z
    .int()
    .min(1)
    .max(10_001)
    .default(1)
    .describe("Page number, from 1. The resulting offset is at most 10,000."),
  page_size: z.int().min(1).max(100).default(25).describe("Number of items per page."),
};

export const Bucket = z.enum(["minute", "hour", "day", "week", "month"]);

export const ActivityQuery = z.strictObject({
  ...analyticsQuery,
  target_type: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("Only results of targets of this type.")
    .meta({ examples: ["tx_rate"] }),
  status: EventStatus.optional().describe("Only alerts with this status now."),
  bucket: Bucket.optional().describe(
    "Width of a bucket, aligned to UTC; by default chosen from the length of the time range.",
  ),
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
      .describe("All buckets of the time range, including empty ones, oldest first."),
    items: z.array(AlertEvent).describe("Alerts of the page, newest first."),
    page: z.int().meta({ examples: [1] }),
    page_size: z.int().meta({ examples: [25] }),
    total: count,
  })
  .meta({ id: "Activity", description: "Alert counts per bucket and one page of alerts." });
export type Activity = z.infer<typeof Activity>;

export const AnomaliesQuery = z.strictObject({
  ...analyticsQuery,
  anomaly_type: AnomalyType.optional().describe("Only anomalies of this type."),
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
        score: z
          .number()
          .meta({ description: "Distance from the expected value, in typical deviations.", examples: [8.4] }),
        value: z.number().meta({ examples: [412] }),
        expected: z.number().meta({ examples: [6] }),
        at: Timestamp,
      }),
    ),
    trend: z
      .array(z.strictObject({ at: Timestamp, count }))
      .describe("Counts per hour for ranges up to a week, per day for longer ones."),
    page: z.int().meta({ examples: [1] }),
    page_size: z.int().meta({ examples: [25] }),
    total: count,
  })
  .meta({ id: "Anomalies", description: "Anomalies in a time range: summary, one page of items and trend." });
export type Anomalies = z.infer<typeof Anomalies>;
