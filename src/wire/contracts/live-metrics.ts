import { z } from "zod";
import { AlertEvent } from "../alerts/alert-events.ts";
import { RuleCondition } from "../alerts/rule-condition.ts";
import { Rule } from "../alerts/rules.ts";
import { Id, Timestamp } from "../primitives.ts";

/** The current value of a target and its proximity to the threshold of a rule. */
export const LiveMetric = z
  .strictObject({
    target_id: Id,
    target_type: z.string().meta({ examples: ["native_balance"] }),
    name: z.string().meta({ examples: ["Native balance"] }),
    value: z
      .number()
      .nullable()
      .meta({ examples: [12.5] }),
    unit: z
      .string()
      .nullable()
      .meta({ examples: ["ETH"] }),
    at: Timestamp.nullable(),
    rule_id: Id.nullable().describe("The rule that is closest to firing."),
    threshold: z
      .number()
      .nullable()
      .meta({ examples: [10] }),
    proximity: z
      .number()
      .min(0)
      .max(2)
      .nullable()
      .describe("Proximity to the threshold: 1 is at the threshold, 2 is twice beyond it.")
      .meta({ examples: [0.8] }),
    eta_seconds: z
      .number()
      .nullable()
      .describe("Seconds until the threshold is reached at the current rate of change.")
      .meta({ examples: [null] }),
    sparkline: z
      .array(z.number().nullable())
      .length(60)
      .describe("Values of the last 60 minutes, oldest first; null for minutes without a sample.")
      .meta({ examples: [Array.from({ length: 60 }, (_, index) => 12 + index / 60)] }),
  })
  .meta({ id: "LiveMetric", description: "Current value of a target." });
export type LiveMetric = z.infer<typeof LiveMetric>;

export const BacktestRequest = z
  .strictObject({
    target_id: Id,
    condition: RuleCondition,
    for_seconds: Rule.shape.for_seconds.optional(),
    resolve_after_seconds: Rule.shape.resolve_after_seconds.optional(),
    from: z.iso
      .datetime({ offset: true })
      .optional()
      .describe("Start of the time range; by default as far back as the retention of the tier.")
      .meta({ examples: ["2026-11-14T00:00:00Z"] }),
    to: z.iso
      .datetime({ offset: true })
      .optional()
      .describe("End of the time range; now by default.")
      .meta({ examples: ["2026-11-15T00:00:00Z"] }),
  })
  .meta({ id: "BacktestRequest" });
export type BacktestRequest = z.infer<typeof BacktestRequest>;

export const BacktestResult = z
  .strictObject({
    from: Timestamp,
    to: Timestamp,
    data_from: Timestamp.nullable().describe(
      "Start of the part of the range in which the target was measured; null if it was not. Rates refer to this part.",
    ),
    data_to: Timestamp.nullable().describe("End of that part: at most the newest processed block."),
    samples: z
      .int()
      .describe("Number of samples evaluated.")
      .meta({ examples: [1440] }),
    episodes: z.array(
      z.strictObject({
        fired_at: Timestamp,
        resolved_at: Timestamp.nullable(),
        value: z
          .number()
          .nullable()
          .meta({ examples: [3] }),
        tx_hash: AlertEvent.shape.tx_hash,
        group: AlertEvent.shape.group,
      }),
    ),
    fires_per_day: z.number().meta({ examples: [0.5] }),
    suggested_threshold: z
      .number()
      .nullable()
      .describe("A threshold with which the rule would have fired at most once a day.")
      .meta({ examples: [5] }),
  })
  .meta({ id: "BacktestResult", description: "Episodes that a rule would have had in a past time range." });
export type BacktestResult = z.infer<typeof BacktestResult>;
