import { z } from "zod";
import { categories } from "../../templates/template.ts";
import { Id } from "../primitives.ts";
import { RuleCondition, Severity } from "./rules.ts";

const Category = z
  .enum(categories)
  .meta({ description: "What kind of contract it is for.", examples: ["lending"] });

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
    name: z.string().meta({ examples: ["Paused or unpaused"] }),
    description: z.string().meta({ examples: ["The market was paused, or works again."] }),
    target_type: z.string().meta({ examples: ["pause_state"] }),
    target_config: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        "What would be measured: that of the target which is there, or null while only you can say it.",
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
      .describe("Why it cannot work on this contract.")
      .meta({ examples: [null] }),
  })
  .meta({ id: "AlertTemplate", description: "A rule worth having, laid against a contract." });
export type AlertTemplate = z.infer<typeof AlertTemplate>;

export const TemplatesApply = z
  .strictObject({
    category: Category,
    channel_id: Id.describe("Where the rules tell people."),
    template_ids: z
      .array(TemplateId)
      .min(1)
      .max(100)
      .optional()
      .describe("Some of the category; all unless said."),
  })
  .meta({ id: "AlertTemplatesApply" });
export type TemplatesApply = z.infer<typeof TemplatesApply>;

export const TemplatesApplied = z
  .strictObject({
    rule_ids: z.array(Id).describe("The rules that were made."),
    skipped: z.array(
      z.strictObject({
        template_id: TemplateId,
        reason: z.string().meta({ examples: ["The contract is not a proxy."] }),
      }),
    ),
  })
  .meta({ id: "AlertTemplatesApplied" });
export type TemplatesApplied = z.infer<typeof TemplatesApplied>;
