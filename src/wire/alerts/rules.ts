import { z } from "zod";
import { severities } from "../../lib/severity.ts";
import { pageQuery } from "../paging.ts";
import { Id, line, PolicyId, Timestamp } from "../primitives.ts";
import { RuleCondition } from "./rule-condition.ts";

export const Severity = z.enum(severities).meta({
  description: "`info`: for the record; `warning`: needs attention today; `critical`: needs attention now.",
  examples: ["critical"],
});

/** Accepts the severity scales of other tools as input. */
const SeverityInput = z
  .enum(["info", "low", "warning", "medium", "high", "critical"])
  .transform((severity): z.infer<typeof Severity> => {
    if (severity === "low") return "info";
    if (severity === "medium") return "warning";
    return severity === "high" ? "critical" : severity;
  })
  .meta({
    description: "`info`, `warning` or `critical`; `low`, `medium` and `high` are accepted as synonyms.",
    examples: ["critical"],
  });

const week = 604_800;
const Confirmations = z
  .union([z.int().min(1).max(1000), z.enum(["safe", "finalized"])])
  .nullable()
  .meta({
    description:
      "Confirmations of the block before notifications are sent: a number of blocks, `safe` or `finalized`.",
    examples: [null],
  });

const timing = {
  for_seconds: z
    .int()
    .min(0)
    .max(week)
    .describe("Seconds that the condition must hold before the rule fires."),
  resolve_after_seconds: z
    .int()
    .min(0)
    .max(week)
    .describe("Seconds that the condition must be false before the event resolves."),
  cooldown_seconds: z
    .int()
    .min(0)
    .max(week)
    .describe("Minimum seconds between two notifications. Limits notifications, not events."),
  renotify_seconds: z
    .int()
    .min(60)
    .max(week)
    .nullable()
    .describe("Seconds between reminders while the rule fires; null sends none."),
  notify_on_resolve: z.boolean(),
  no_data: z
    .enum(["ignore", "alert"])
    .describe("Handling of a target without readings: `alert` creates an event."),
  mode: z.enum(["live", "shadow"]).describe("`shadow` records events but sends no notifications."),
  confirmations: Confirmations,
  message_template: z
    .string()
    .min(1)
    .max(2000)
    .nullable()
    .describe(
      "Template of the message, with variables such as {{contract.label}}, {{value}}, {{args.to}} and {{tx.hash}}. A variable " +
        "that does not exist is rejected with the names that do.",
    )
    .meta({ examples: [null] }),
};

export const EscalationStep = z.strictObject({
  after_seconds: z
    .int()
    .min(5)
    .max(week)
    .describe("Seconds after the first notification about the event.")
    .meta({ examples: [900] }),
  channel_ids: z.array(Id).min(1).max(20).describe("Channels to notify then."),
});

const Escalation = z
  .array(EscalationStep)
  .max(10)
  .superRefine((steps, context) => {
    for (const [index, { after_seconds }] of steps.entries()) {
      if (index === 0 || after_seconds > (steps[index - 1]?.after_seconds ?? 0)) continue;
      const message = "must be more than that of the step before";
      context.addIssue({ code: "custom", path: [index, "after_seconds"], message });
    }
  })
  .describe(
    "Steps that notify further channels while an event is firing or has occurred, until a person acknowledges it.",
  )
  .meta({ examples: [[]] });

const links = {
  channel_id: Id.nullable().describe("Channel to notify."),
  channel_ids: z.array(Id).max(20).describe("Additional channels to notify."),
  escalation: Escalation,
  record_only: z
    .boolean()
    .describe("If true, the rule records events and notifies nobody. A rule without a channel must say so.")
    .meta({ examples: [false] }),
  agent_id: Id.nullable().describe(
    "Id that an automated client assigns. It is copied to events and can be used as a filter.",
  ),
};

export type EscalationStep = z.infer<typeof EscalationStep>;
export { Escalation };

const RuleState = z.enum(["ok", "pending", "firing", "no_data", "error"]).meta({ examples: ["ok"] });

export const Rule = z
  .strictObject({
    id: Id,
    name: z.string().meta({ examples: ["Large withdrawals"] }),
    contract_id: Id,
    target_id: Id,
    target_type: z.string().meta({ examples: ["tx_rate"] }),
    policy_id: PolicyId,
    ...links,
    severity: Severity,
    condition: RuleCondition,
    ...timing,
    is_enabled: z.boolean(),
    state: RuleState,
    last_value: z
      .number()
      .nullable()
      .meta({ examples: [12] }),
    last_evaluated_at: Timestamp.nullable(),
    last_fired_at: Timestamp.nullable(),
    external_ref: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({
    id: "AlertRule",
    description: "A condition on a target, with severity and the channels to notify.",
  });
export type Rule = z.infer<typeof Rule>;

const optional = {
  name: line(1, 200, "Large withdrawals").optional(),
  channel_id: links.channel_id.optional(),
  channel_ids: links.channel_ids.optional(),
  escalation: links.escalation.optional(),
  record_only: links.record_only.optional(),
  agent_id: links.agent_id.optional(),
  ...z.strictObject(timing).partial().shape,
  external_ref: z.string().min(1).max(200).nullable().optional(),
  is_enabled: z.boolean().optional(),
};

export const RuleCreate = z
  .strictObject({ target_id: Id, severity: SeverityInput, condition: RuleCondition, ...optional })
  .meta({ id: "AlertRuleCreate" });
export type RuleCreate = z.infer<typeof RuleCreate>;

export const RuleUpdate = z
  .strictObject({
    target_id: Id.optional(),
    severity: SeverityInput.optional(),
    condition: RuleCondition.optional(),
    ...optional,
  })
  .refine((update) => Object.keys(update).length > 0, "must change at least one field")
  .meta({ id: "AlertRuleUpdate" });
export type RuleUpdate = z.infer<typeof RuleUpdate>;

export const RulesQuery = z.strictObject({
  contract_id: Id.optional().describe("Only rules on this contract."),
  agent_id: Id.optional().describe("Only rules of this agent."),
  severity: Severity.optional().describe("Only rules of this severity."),
  state: RuleState.optional().describe("Only rules in this state."),
  target_type: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("Only rules on targets of this type.")
    .meta({ examples: ["tx_rate"] }),
  channel_id: Id.optional().describe("Only rules that notify this channel, at once or by escalation."),
  ...pageQuery,
});
export type RulesQuery = z.infer<typeof RulesQuery>;
