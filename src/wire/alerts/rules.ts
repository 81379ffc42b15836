import { z } from "zod";
import { severities } from "../../lib/severity.ts";
import { Id, line, Timestamp } from "../primitives.ts";

export const Severity = z.enum(severities).meta({
  description: "`info`: log it; `warning`: look today; `critical`: wake someone.",
  examples: ["critical"],
});

/** Other scales in use elsewhere are understood on the way in. */
const SeverityInput = z
  .enum(["info", "low", "warning", "medium", "high", "critical"])
  .transform((severity): z.infer<typeof Severity> => {
    if (severity === "low") return "info";
    if (severity === "medium") return "warning";
    return severity === "high" ? "critical" : severity;
  })
  .meta({
    description: "`info`, `warning` or `critical`; `low`, `medium` and `high` are understood as these.",
    examples: ["critical"],
  });

const Expression = z
  .string()
  .min(1)
  .max(2048)
  .meta({ examples: ["value > 1000e18"] });

const Clause = z.strictObject({
  signature: z
    .string()
    .min(1)
    .max(500)
    .meta({ examples: ["Transfer(address,address,uint256)"] }),
  expression: Expression.optional().describe("What the arguments must be."),
});

const Match = z
  .strictObject({
    events: z.array(Clause).max(50).optional(),
    functions: z.array(Clause).max(50).optional(),
    status: z.enum(["any", "success", "failed"]).optional(),
    expression: Expression.optional().describe("What the transaction must be."),
  })
  .meta({
    description: "Which transactions count. One of the events or functions must be there, if any are named.",
  });

const operators = [
  "gt",
  "gte",
  "lt",
  "lte",
  "eq",
  "neq",
  "between",
  "outside",
  "change_pct_gt",
  "change_pct_lt",
  "changed",
  "anomaly",
  "absent",
] as const;

const number = z.number().meta({ examples: [10] });

/** When a window is wrong. */
export const RuleCondition = z
  .strictObject({
    operator: z.enum(operators).meta({ examples: ["gte"] }),
    threshold: number.optional().describe("Not needed for `changed` and `absent`."),
    threshold_high: number.optional().describe("The upper bound of `between` and `outside`."),
    aggregation: z
      .enum(["last", "avg", "min", "max", "sum", "count", "rate", "p95"])
      .optional()
      .describe(
        "How the window becomes one number; the target's own way unless said. `rate` is by the minute.",
      )
      .meta({ examples: ["count"] }),
    window_seconds: z.int().min(60).max(604_800).default(300).describe("60 seconds to 7 days of block time."),
    match: Match.optional(),
  })
  .superRefine((condition, context) => {
    const { operator, threshold, threshold_high } = condition;
    const needsTwo = operator === "between" || operator === "outside";
    const missing = (path: string) =>
      context.addIssue({ code: "custom", path: [path], message: "is required" });
    if (threshold === undefined && operator !== "changed" && operator !== "absent") missing("threshold");
    if (needsTwo && threshold_high === undefined) missing("threshold_high");
    if (needsTwo && threshold !== undefined && threshold_high !== undefined && threshold_high < threshold) {
      context.addIssue({ code: "custom", path: ["threshold_high"], message: "must not be below threshold" });
    }
  })
  .meta({ id: "RuleCondition" });
export type RuleCondition = z.infer<typeof RuleCondition>;

const week = 604_800;
const Confirmations = z
  .union([z.int().min(1).max(1000), z.enum(["safe", "finalized"])])
  .nullable()
  .meta({
    description:
      "How deep a block must be before anybody is told: a number of blocks, `safe` or `finalized`.",
    examples: [null],
  });

const timing = {
  for_seconds: z.int().min(0).max(week).describe("How long the condition must hold before the rule fires."),
  resolve_after_seconds: z
    .int()
    .min(0)
    .max(week)
    .describe("How long the opposite must hold before it is over."),
  cooldown_seconds: z
    .int()
    .min(0)
    .max(week)
    .describe("The least time between two alarms. Limits notices, never events."),
  renotify_seconds: z.int().min(60).max(week).nullable().describe("How often to remind while it fires."),
  notify_on_resolve: z.boolean(),
  no_data: z.enum(["ignore", "alert"]).describe("What to make of a target that gives nothing."),
  mode: z.enum(["live", "shadow"]).describe("`shadow` records and never notifies."),
  confirmations: Confirmations,
  message_template: z
    .string()
    .min(1)
    .max(2000)
    .nullable()
    .describe(
      "The message, with {{value}}, {{threshold}}, {{contract}}, {{chain}}, {{tx_hash}} and the like filled in.",
    )
    .meta({ examples: [null] }),
};

const links = {
  channel_id: Id.nullable().describe("Where to tell people; null records events only."),
  channel_ids: z.array(Id).max(20).describe("Further channels."),
  agent_id: Id.nullable().describe("An id of an automated client's own; copied onto events, and a filter."),
};

export const Rule = z
  .strictObject({
    id: Id,
    name: z.string().meta({ examples: ["Large withdrawals"] }),
    contract_id: Id,
    target_id: Id,
    ...links,
    severity: Severity,
    condition: RuleCondition,
    ...timing,
    is_enabled: z.boolean(),
    state: z.enum(["ok", "pending", "firing", "no_data", "error"]),
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
  .meta({ id: "AlertRule", description: "When people are to be told, and who." });
export type Rule = z.infer<typeof Rule>;

const optional = {
  name: line(1, 200, "Large withdrawals").optional(),
  channel_id: links.channel_id.optional(),
  channel_ids: links.channel_ids.optional(),
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
