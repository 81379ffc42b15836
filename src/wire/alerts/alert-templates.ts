import { z } from "zod";
import { categories } from "../../templates/template.ts";
import { Id } from "../primitives.ts";
import { noiseEstimateFields } from "./noise-estimate.ts";
import { RuleCondition } from "./rule-condition.ts";
import { Severity } from "./rules.ts";

const Category = z
  .enum(categories)
  .meta({ description: "Category of contract that the template is for.", examples: ["lending"] });

const TemplateId = z
  .string()
  .min(1)
  .max(100)
  .meta({ examples: ["lending_paused"] });

const Selection = z.enum(["recommended", ...categories]).meta({
  description:
    "`recommended`: the templates that follow from what the contract is, across categories; or those of one category.",
  examples: ["recommended"],
});

export const TemplateQuery = z.strictObject({ category: Selection });

export const AlertTemplate = z
  .strictObject({
    id: TemplateId,
    category: Category,
    name: z.string().meta({ examples: ["Market paused or unpaused"] }),
    description: z.string().meta({
      examples: [
        "Alerts if the market is paused or unpaused. Users of a paused market cannot act on their positions.",
      ],
    }),
    target_type: z.string().meta({ examples: ["pause_state"] }),
    target_config: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        "Config of the target: that of the existing target, or null if it cannot be derived and must be supplied.",
      )
      .meta({ examples: [{}] }),
    condition: RuleCondition,
    severity: Severity,
    for_seconds: z
      .int()
      .min(0)
      .meta({ examples: [0] }),
    applicable: z.boolean().meta({ examples: [true] }),
    reason: z
      .string()
      .nullable()
      .describe("Why the template does not apply to this contract; null if it applies.")
      .meta({ examples: [null] }),
    recommended: z.boolean().describe("True if it is one of the recommended templates of this contract."),
    subject: z
      .string()
      .nullable()
      .meta({
        description:
          "What this entry is about, if the template has several rules: such as the address of an asset.",
        examples: [null],
      }),
    threshold_source: z
      .string()
      .nullable()
      .meta({
        description: "Where the config or threshold comes from, if it follows the contract.",
        examples: ["The last 24 rounds of the feed show a heartbeat of 1 h."],
      }),
    ...noiseEstimateFields,
  })
  .meta({ id: "AlertTemplate", description: "A recommended rule, evaluated for a contract." });
export type AlertTemplate = z.infer<typeof AlertTemplate>;

export const TemplatesApply = z
  .strictObject({
    category: Selection.default("recommended"),
    channel_id: Id.describe("Channel that the rules notify."),
    template_ids: z
      .array(TemplateId)
      .min(1)
      .max(100)
      .optional()
      .describe("Templates of the category to apply; all by default. With `recommended`, any templates."),
    dry_run: z
      .boolean()
      .default(false)
      .describe(
        "Return what would be created, and how often it would have fired, without creating anything.",
      ),
  })
  .meta({ id: "AlertTemplatesApply" });
export type TemplatesApply = z.infer<typeof TemplatesApply>;

export const TemplatesApplied = z
  .strictObject({
    rule_ids: z.array(Id).describe("Ids of the rules created."),
    rules: z
      .array(
        z.strictObject({
          rule_id: Id,
          template_id: TemplateId,
          name: z.string().meta({ examples: ["Tokens drained: USDC"] }),
          mode: z.enum(["live", "shadow"]),
          reason: z
            .string()
            .nullable()
            .describe("Why the rule is in shadow mode, in which it notifies nobody; null if it is live.")
            .meta({ examples: [null] }),
          ...noiseEstimateFields,
          threshold_source: z
            .string()
            .nullable()
            .meta({ examples: [null] }),
        }),
      )
      .describe("The rules created. One that would fire more than once a day is created in shadow mode."),
    skipped: z.array(
      z.strictObject({
        template_id: TemplateId,
        reason: z.string().meta({ examples: ["The contract is not a proxy."] }),
      }),
    ),
  })
  .meta({ id: "AlertTemplatesApplied" });
export type TemplatesApplied = z.infer<typeof TemplatesApplied>;
