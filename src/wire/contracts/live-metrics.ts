import { z } from "zod";
import { AlertEvent } from "../alerts/alert-events.ts";
import { Rule, RuleCondition } from "../alerts/rules.ts";
import { Id, Timestamp } from "../primitives.ts";

/** What a target shows now, and how near that is to a rule's threshold. */
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
      .meta({ examples: ["native units"] }),
    at: Timestamp.nullable(),
    rule_id: Id.nullable().describe("The rule that is nearest to firing."),
    threshold: z
      .number()
      .nullable()
      .meta({ examples: [10] }),
    proximity: z
      .number()
      .min(0)
      .max(2)
      .nullable()
      .describe("How near to the threshold: 1 is at it, 2 is twice as bad.")
      .meta({ examples: [0.8] }),
    eta_seconds: z
      .number()
      .nullable()
      .describe("When the threshold is reached if it goes on like this.")
      .meta({ examples: [null] }),
    sparkline: z
      .array(z.number().nullable())
      .length(60)
      .describe("The last hour by the minute, oldest first; null where nothing was measured.")
      .meta({ examples: [Array.from({ length: 60 }, (_, index) => 12 + index / 60)] }),
  })
  .meta({ id: "LiveMetric", description: "What a target shows now." });
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
      .describe("As far back as the tier allows, unless said.")
      .meta({ examples: ["2026-11-14T00:00:00Z"] }),
    to: z.iso
      .datetime({ offset: true })
      .optional()
      .describe("Now, unless said.")
      .meta({ examples: ["2026-11-15T00:00:00Z"] }),
  })
  .meta({ id: "BacktestRequest" });
export type BacktestRequest = z.infer<typeof BacktestRequest>;

export const BacktestResult = z
  .strictObject({
    from: Timestamp,
    to: Timestamp,
    samples: z
      .int()
      .describe("How many readings there were to judge.")
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
      }),
    ),
    fires_per_day: z.number().meta({ examples: [0.5] }),
    suggested_threshold: z
      .number()
      .nullable()
      .describe("One with which the rule would have fired at most once a day.")
      .meta({ examples: [5] }),
  })
  .meta({ id: "BacktestResult", description: "What a rule would have done." });
export type BacktestResult = z.infer<typeof BacktestResult>;
