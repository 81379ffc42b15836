import { z } from "zod";
import { severities } from "../../lib/severity.ts";
import { eachOperators } from "../../meters/meter.ts";
import { Id, line, Timestamp } from "../primitives.ts";

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
  expression: Expression.optional().describe("Condition on the decoded arguments."),
});

const Match = z
  .strictObject({
    events: z.array(Clause).max(50).optional(),
    functions: z.array(Clause).max(50).optional(),
    status: z.enum(["any", "success", "failed"]).optional(),
    expression: Expression.optional().describe("Condition on the transaction."),
  })
  .meta({
    description:
      "Selects the transactions that count. If events or functions are listed, at least one must match.",
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

/** The part of a condition that compares the readings of one target. */
const comparison = {
  operator: z.enum(operators).meta({ examples: ["gte"] }),
  threshold: number
    .optional()
    .describe("Threshold in the unit of the target. Not needed for `changed` and `absent`."),
  threshold_high: number.optional().describe("Upper bound of `between` and `outside`."),
  aggregation: z
    .enum(["each", "last", "avg", "min", "max", "sum", "count", "rate", "p95"])
    .optional()
    .describe(
      "Function that reduces the window to one number; defaults to that of the target type. `rate` is per minute. " +
        "`each` evaluates every transaction, log or change by itself, and each that matches is an event with the status " +
        "`occurred`; it needs no window.",
    )
    .meta({ examples: ["count"] }),
  window_seconds: z
    .int()
    .min(60)
    .max(604_800)
    .optional()
    .describe(
      "Length of the window in seconds of block time, from 60 seconds to 7 days; by default 300, and at least two readings of " +
        "a polled target. Not used by `each`.",
    )
    .meta({ examples: [300] }),
};

type Comparison = z.infer<z.ZodObject<typeof comparison>>;
type Report = { addIssue(issue: { code: "custom"; path: (string | number)[]; message: string }): void };

/** Reports what a comparison lacks, and what contradicts itself. */
function checkComparison(condition: Comparison, context: Report): void {
  const { operator, threshold, threshold_high } = condition;
  const needsTwo = operator === "between" || operator === "outside";
  const missing = (path: string) =>
    context.addIssue({ code: "custom", path: [path], message: "is required" });
  if (threshold === undefined && operator !== "changed" && operator !== "absent") missing("threshold");
  if (condition.aggregation === "each" && !eachOperators.has(operator)) {
    const message = `cannot be each with the operator ${operator}, which compares a window; use ${[...eachOperators].join(", ")}, or another aggregation`;
    context.addIssue({ code: "custom", path: ["aggregation"], message });
  }
  if (needsTwo && threshold_high === undefined) missing("threshold_high");
  if (needsTwo && threshold !== undefined && threshold_high !== undefined && threshold_high < threshold) {
    context.addIssue({ code: "custom", path: ["threshold_high"], message: "must not be below threshold" });
  }
}

/** Returns the schema of a condition on the readings of a window, whose further conditions refer to their target by a field. */
export function conditionWith<Reference extends z.ZodRawShape>(reference: Reference) {
  const other = z.strictObject({ ...reference, ...comparison }).superRefine((one, context) => {
    checkComparison(one as Comparison, context);
  });
  const others = z.array(other).min(1).max(4).optional();
  return z
    .strictObject({
      ...comparison,
      match: Match.optional(),
      group_by: GroupBy.optional(),
      all: others.describe(
        "Further conditions on targets of the same contract, which must hold at the same time.",
      ),
      any: others.describe(
        "Further conditions on targets of the same contract, of which it is enough that one holds.",
      ),
    })
    .superRefine((condition, context) => {
      const { all, any, group_by, ...own } = condition as Comparison & {
        all?: unknown;
        any?: unknown;
        group_by?: string;
      };
      checkComparison(own, context);
      const issue = (path: string, message: string) =>
        context.addIssue({ code: "custom", path: [path], message });
      if (all && any) issue("any", "cannot be combined with all; make two rules");
      if (group_by && (all ?? any))
        issue("group_by", "cannot be combined with all or any: the other targets are not grouped");
    });
}

const GroupBy = z
  .string()
  .max(200)
  .regex(/^(sender|args\.[$\w]+)$/, "must be sender or args.<name of an argument>")
  .describe(
    "Evaluates the readings of each group by itself: `sender`, or an argument of the call or event such as `args.spender`. " +
      "Each group fires and resolves by itself, and its events name it.",
  )
  .meta({ examples: ["args.spender"] });

/** A condition on the readings of a window; the rule fires while it is true. */
export const RuleCondition = conditionWith({
  target_id: Id.describe("Another target of the same contract."),
}).meta({ id: "RuleCondition" });
export type RuleCondition = z.infer<typeof RuleCondition>;
export type OtherCondition = NonNullable<RuleCondition["all"]>[number];
/** A condition without what belongs to the rule as a whole. */
export type PlainCondition = Omit<RuleCondition, "match" | "group_by" | "all" | "any">;

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

const links = {
  channel_id: Id.nullable().describe("Channel to notify."),
  channel_ids: z.array(Id).max(20).describe("Additional channels to notify."),
  record_only: z
    .boolean()
    .describe("If true, the rule records events and notifies nobody. A rule without a channel must say so.")
    .meta({ examples: [false] }),
  agent_id: Id.nullable().describe(
    "Id that an automated client assigns. It is copied to events and can be used as a filter.",
  ),
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
  .meta({
    id: "AlertRule",
    description: "A condition on a target, with severity and the channels to notify.",
  });
export type Rule = z.infer<typeof Rule>;

const optional = {
  name: line(1, 200, "Large withdrawals").optional(),
  channel_id: links.channel_id.optional(),
  channel_ids: links.channel_ids.optional(),
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
