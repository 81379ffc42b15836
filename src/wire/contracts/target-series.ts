import { z } from "zod";
import { RuleCondition } from "../alerts/rule-condition.ts";
import { Id, Timestamp } from "../primitives.ts";

/** The longest time range of a series. */
export const maxSeriesDays = 7;

const time = z.iso.datetime({ offset: true });
const value = z.number().meta({ examples: [12.5] });

export const TargetSeriesQuery = z.strictObject({
  from: time
    .optional()
    .describe(`Start of the time range; 24 hours before \`to\` by default, at most ${maxSeriesDays} days.`),
  to: time.optional().describe("End of the time range; now by default."),
  aggregation: RuleCondition.shape.aggregation.describe(
    "Function that reduces each window to one number; by default that of the target type.",
  ),
  window_seconds: RuleCondition.shape.window_seconds.describe("Length of the window; 300 by default."),
});
export type TargetSeriesQuery = z.infer<typeof TargetSeriesQuery>;

export const TargetSeries = z
  .strictObject({
    target_id: Id,
    unit: z
      .string()
      .nullable()
      .meta({ examples: ["transactions"] }),
    from: Timestamp,
    to: Timestamp,
    points: z
      .array(z.strictObject({ at: Timestamp, min: value, max: value }))
      .describe(
        "At most 1,000 points, oldest first. Where a point covers several windows, `min` and `max` are their extremes; " +
          "spans without data have no point.",
      ),
  })
  .meta({ id: "TargetSeries", description: "Values of a target over time, as a rule would evaluate them." });
export type TargetSeries = z.infer<typeof TargetSeries>;
