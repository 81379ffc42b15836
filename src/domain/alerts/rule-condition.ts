import { canonicalEvent, canonicalFunction } from "../../chains/evm/abi/signature.ts";
import type { Issue } from "../../errors/app-error.ts";
import { parseExpression } from "../../lib/expression/expression.ts";
import type { RuleCondition } from "../../wire/alerts/rules.ts";

type Loc = (string | number)[];
type Clauses = NonNullable<NonNullable<RuleCondition["match"]>["events"]>;

/** Finds errors in a condition beyond its schema: invalid signatures and expressions that do not parse. */
export function conditionIssues({ match }: RuleCondition): Issue[] {
  if (!match) return [];
  const loc = ["body", "condition", "match"];
  return [
    ...expressionIssues(match.expression, [...loc, "expression"]),
    ...clauseIssues(match.events ?? [], [...loc, "events"], canonicalEvent),
    ...clauseIssues(match.functions ?? [], [...loc, "functions"], canonicalFunction),
  ];
}

function clauseIssues(
  clauses: Clauses,
  loc: Loc,
  canonical: typeof canonicalEvent | typeof canonicalFunction,
): Issue[] {
  return clauses.flatMap(({ signature, expression }, index) => {
    const read = canonical(signature);
    const problem = read.ok
      ? []
      : [{ loc: [...loc, index, "signature"], msg: read.problem, type: "value_error" }];
    return [...problem, ...expressionIssues(expression, [...loc, index, "expression"])];
  });
}

function expressionIssues(source: string | undefined, loc: Loc): Issue[] {
  const parsed = source === undefined ? undefined : parseExpression(source);
  if (!parsed || parsed.ok) return [];
  const { message, at } = parsed.problem;
  return [{ loc, msg: `${message} (at character ${at + 1})`, type: "expression" }];
}
