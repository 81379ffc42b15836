import { canonicalEvent, canonicalFunction } from "../../chains/evm/abi/signature.ts";
import { meterOf } from "../../meters/index.ts";
import { parseGroupBy, variablesIn } from "../../pipeline/index.ts";
import type { RuleRow } from "../../store/alerts/rules.ts";
import type { TargetRow } from "../../store/contracts/targets.ts";
import { groupIssues } from "../alerts/group-issues.ts";
import { conditionIssues } from "../alerts/rule-condition.ts";
import type { RuleSubject } from "../alerts/rule-subject.ts";
import { namedArguments, templateIssues } from "../alerts/template-variables.ts";
import { sentence, unnamedArguments, unnamedReason } from "./unnamed-arguments.ts";

type Named = Pick<RuleRow, "name" | "condition" | "message_template">;

/** The parts of a rule that may have names. */
export type MaybeNamed = {
  condition?: { match?: unknown; group_by?: string | undefined } | undefined;
  message_template?: string | null | undefined;
};

/** Returns whether a rule refers to anything by a name that the contract must have. */
export function hasRuleNames({ condition, message_template }: MaybeNamed): boolean {
  return Boolean(
    condition?.match || condition?.group_by?.startsWith("args.") || message_template?.includes("{{"),
  );
}

/** Returns what is wrong with the names in a rule, as a sentence; undefined if they resolve. */
export function ruleNameProblem(
  rule: Named,
  target: TargetRow,
  subject: RuleSubject | undefined,
): string | undefined {
  const { name } = rule;
  const reason = conditionProblem(rule, target, subject);
  if (reason) return `The rule “${name}” cannot fire: ${reason}`;
  const unfilled = messageProblem(rule, target, subject);
  return unfilled && `The message of the rule “${name}” stays incomplete: ${unfilled}`;
}

function conditionProblem(
  { condition }: Named,
  target: TargetRow,
  subject: RuleSubject | undefined,
): string | undefined {
  const meter = meterOf(target.target_type);
  const context = contextOf(condition, target, subject);
  const [issue] = [
    ...conditionIssues(condition, subject),
    ...(meter ? groupIssues(condition, meter, context) : []),
  ];
  if (issue) return sentence(issue);
  const { events = [], functions = [] } = condition.match ?? {};
  const clauses = [
    ...events.map((clause) => ({ ...clause, parse: canonicalEvent })),
    ...functions.map((clause) => ({ ...clause, parse: canonicalFunction })),
  ];
  const group = condition.group_by === undefined ? undefined : parseGroupBy(condition.group_by);
  const names = [
    ...unnamedArguments(clauses, subject),
    ...unnamed(group?.by === "argument" ? [group.name] : [], context, subject),
  ];
  return names.length > 0 ? unnamedReason(names) : undefined;
}

function messageProblem(
  { condition, message_template }: Named,
  target: TargetRow,
  subject: RuleSubject | undefined,
): string | undefined {
  const context = contextOf(condition, target, subject);
  const [issue] = templateIssues(message_template, context);
  if (issue) return sentence(issue);
  const used = variablesIn(message_template ?? "").filter((variable) => variable.startsWith("args."));
  const names = unnamed(
    used.map((variable) => variable.slice("args.".length)),
    context,
    subject,
  );
  return names.length > 0 ? unnamedReason(names) : undefined;
}

function contextOf({ match }: Named["condition"], target: TargetRow, naming: RuleSubject | undefined) {
  return { meter: meterOf(target.target_type), match, config: target.config, naming };
}

/** The names that neither the signatures of a rule nor a known ABI has. */
function unnamed(
  names: readonly string[],
  context: ReturnType<typeof contextOf>,
  subject: RuleSubject | undefined,
): string[] {
  const argumentNames = subject?.chain.kind === "evm" ? namedArguments(context) : undefined;
  return argumentNames ? names.filter((name) => !name.startsWith("$") && !argumentNames.includes(name)) : [];
}
