import { z } from "zod";
import { categories } from "../../templates/template.ts";
import { Id } from "../primitives.ts";
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

export const TemplateQuery = z.strictObject({ category: Category });

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
  })
  .meta({ id: "AlertTemplate", description: "A recommended rule, evaluated for a contract." });
export type AlertTemplate = z.infer<typeof AlertTemplate>;

export const TemplatesApply = z
  .strictObject({
    category: Category,
    channel_id: Id.describe("Channel that the rules notify."),
    template_ids: z
      .array(TemplateId)
      .min(1)
      .max(100)
      .optional()
      .describe("Templates of the category to apply; all by default."),
  })
  .meta({ id: "AlertTemplatesApply" });
export type TemplatesApply = z.infer<typeof TemplatesApply>;

export const TemplatesApplied = z
  .strictObject({
    rule_ids: z.array(Id).describe("Ids of the rules created."),
    skipped: z.array(
      z.strictObject({
        template_id: TemplateId,
        reason: z.string().meta({ examples: ["The contract is not a proxy."] }),
      }),
    ),
  })
  .meta({ id: "AlertTemplatesApplied" });
export type TemplatesApplied = z.infer<typeof TemplatesApplied>;
