import { z } from "zod";
import { Timestamp } from "../primitives.ts";

const EstimatedFrom = z
  .strictObject({
    source: z
      .enum(["readings", "chain"])
      .describe(
        "`readings`: those that the target has stored; `chain`: events of the contract on the chain.",
      ),
    from: Timestamp,
    to: Timestamp,
    blocks: z
      .int()
      .nullable()
      .describe("How many blocks of the chain were searched; null for stored readings.")
      .meta({ examples: [50_400] }),
  })
  .meta({ id: "NoiseEstimatedFrom", description: "The part of the past on which a rule was evaluated." });

/** How often a rule would have fired, with what that is based on; the fields of a template and of an applied rule. */
export const noiseEstimateFields = {
  fires_per_day: z
    .number()
    .nullable()
    .meta({
      description:
        "How often the rule would have fired per day on the past of the contract: its stored readings, or, for a new target, its recent events and transfers on the chain. Null if that is not known or the past is too short; `estimate_problem` then says why.",
      examples: [0.1],
    }),
  estimated_from: EstimatedFrom.nullable().describe("What the estimate is based on; null if there is none."),
  estimate_problem: z
    .string()
    .nullable()
    .describe("Why it is not known how often the rule would fire; null if it is known.")
    .meta({ examples: [null] }),
};

const NoiseEstimate = z.strictObject(noiseEstimateFields);
export type NoiseEstimate = z.infer<typeof NoiseEstimate>;
