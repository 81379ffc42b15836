import { z } from "zod";
import { eachOperators } from "../../meters/meter.ts";
import { definitionTooLong, isDefinitionShort } from "../definition-length.ts";
import { Id } from "../primitives.ts";

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
    .describe(
      "Threshold in the unit of the target; of `change_pct_gt` and `change_pct_lt` in percent, and negative for a fall: " +
        "`change_pct_lt` with -20 holds when the value fell by more than 20 % since the start of the window. Not needed for " +
        "`changed` and `absent`.",
    ),
  threshold_high: number.optional().describe("Upper bound of `between` and `outside`."),
  aggregation: z
    .enum(["each", "last", "avg", "min", "max", "sum", "count", "rate", "p95"])
    .optional()
    .describe(
      "Function that reduces the window to one number; defaults to that of the target type. `rate` is per minute. " +
        "`each` evaluates every transaction, log or change individually, and each that matches is an event with the status " +
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
  const other = z.strictObject({ ...reference, ...comparison }).superRefine((condition, context) => {
    checkComparison(condition as Comparison, context);
  });
  const others = z.array(other).min(1).max(4).optional();
  return z
    .strictObject({
      ...comparison,
      match: Match.optional(),
      group_by: GroupBy.optional(),
      all: others.describe(
        "Further conditions on targets of the same contract, all of which must hold at the same time.",
      ),
      any: others.describe(
        "Further conditions on targets of the same contract, at least one of which must hold.",
      ),
    })
    .superRefine((condition, context) => {
      const { all, any, group_by, ...comparison } = condition as Comparison & {
        all?: unknown;
        any?: unknown;
        group_by?: string;
      };
      checkComparison(comparison, context);
      const issue = (path: string, message: string) =>
        context.addIssue({ code: "custom", path: [path], message });
      if (all && any) issue("any", "cannot be combined with all; make two rules");
      if (group_by && (all ?? any))
        issue("group_by", "cannot be combined with all or any: the other targets are not grouped");
    })
    .refine(isDefinitionShort, definitionTooLong);
}

const GroupBy = z
  .string()
  .max(200)
  .regex(/^(sender|args\.[$\w]+)$/, "must be sender or args.<name of an argument>")
  .describe(
    "Evaluates the readings of each group individually: `sender`, or an argument of the call or event such as `args.spender`. " +
      "Each group fires and resolves independently, and its events name it.",
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
