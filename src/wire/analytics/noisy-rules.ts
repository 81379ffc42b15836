import { z } from "zod";
import { RuleCondition } from "../alerts/rule-condition.ts";
import { Severity } from "../alerts/rules.ts";
import { Id } from "../primitives.ts";
import { analyticsQuery } from "./analytics.ts";

export const NoisyRulesQuery = z.strictObject({
  from: analyticsQuery.from,
  to: analyticsQuery.to,
  limit: z.int().min(1).max(20).default(10).describe("The maximum number of rules."),
});
export type NoisyRulesQuery = z.output<typeof NoisyRulesQuery>;

const count = z
  .int()
  .min(0)
  .meta({ examples: [12] });

export const NoisyRule = z
  .strictObject({
    rule_id: Id,
    name: z.string().meta({ examples: ["Price down by 10 % in five minutes"] }),
    contract_id: Id,
    contract_label: z.string().meta({ examples: ["ETH / USDC pool"] }),
    target_type: z.string().meta({ examples: ["pool_price"] }),
    severity: Severity,
    mode: z.enum(["live", "shadow"]).meta({ examples: ["live"] }),
    condition: RuleCondition,
    events: count.describe("Events of the rule in the time range."),
    acknowledged: count.describe("Events that were acknowledged; few of them suggest noise."),
    fires_per_day: z.number().meta({ examples: [1.7] }),
    suggested_threshold: z
      .number()
      .nullable()
      .describe("A threshold with which the rule would have fired at most once a day on the stored past.")
      .meta({ examples: [-18] }),
    reason: z
      .string()
      .nullable()
      .describe("Why there is no suggested threshold; null if there is one.")
      .meta({ examples: [null] }),
  })
  .meta({ id: "NoisyRule", description: "A rule that fires often, with a threshold that is quieter." });
export type NoisyRule = z.infer<typeof NoisyRule>;
