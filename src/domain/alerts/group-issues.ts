import type { Issue } from "../../errors/app-error.ts";
import { suggestNames } from "../../lib/expression/nearest-name.ts";
import type { Meter } from "../../meters/meter.ts";
import { parseGroupBy } from "../../pipeline/index.ts";
import type { RuleCondition } from "../../wire/alerts/rule-condition.ts";
import { knownArguments, type TemplateContext } from "./template-variables.ts";

/** Finds groups that the target cannot have: state has no sender, and a call or event only its own arguments. */
export function groupIssues(
  { group_by, operator }: RuleCondition,
  meter: Meter,
  context: TemplateContext,
): Issue[] {
  const parsed = group_by === undefined ? undefined : parseGroupBy(group_by);
  if (!parsed) return [];
  const issue = (field: string, msg: string): Issue[] => [
    { loc: ["body", "condition", field], msg, type: "value_error" },
  ];
  if (!meter.measure)
    return issue(
      "group_by",
      `needs transactions or events, and ${meter.type} reads state, which has neither`,
    );
  if (operator === "absent" || operator === "anomaly")
    return issue("operator", `cannot be ${operator} with group_by: it is unknown which groups to expect`);
  const names = parsed.by === "argument" ? knownArguments(context) : undefined;
  if (parsed.by === "sender" || !names || names.includes(parsed.name)) return [];
  const fields = ["sender", ...names.map((name) => `args.${name}`)];
  return issue(
    "group_by",
    `is ${group_by}, which does not exist; ${suggestNames(`args.${parsed.name}`, fields, "names")}`,
  );
}
