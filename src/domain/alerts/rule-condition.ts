import { canonicalEvent, canonicalFunction } from "../../chains/evm/abi/signature.ts";
import type { Issue } from "../../errors/app-error.ts";
import { type Expression, parseExpression } from "../../lib/expression/expression.ts";
import type { RuleCondition } from "../../wire/alerts/rule-condition.ts";
import {
  argumentNameProblem,
  type NamingContext,
  signatureProblem,
  transactionNameProblem,
} from "./expression-names.ts";

type Loc = (string | number)[];
type Clauses = NonNullable<NonNullable<RuleCondition["match"]>["events"]>;
/** Returns why the names in an expression cannot be resolved. */
type CheckNames = (expression: Expression) => string | undefined;

/**
 * Finds errors in a condition beyond its schema: invalid signatures, expressions that do not parse, and names that do not exist
 * in the signature, the ABI of the contract or the fields of a transaction.
 */
export function conditionIssues({ match }: RuleCondition, context: NamingContext | undefined): Issue[] {
  if (!match) return [];
  const loc = ["body", "condition", "match"];
  const checkTransaction = (expression: Expression) => transactionNameProblem(expression, context);
  return [
    ...expressionIssues(match.expression, [...loc, "expression"], checkTransaction),
    ...clauseIssues(match.events ?? [], [...loc, "events"], { kind: "event", context }),
    ...clauseIssues(match.functions ?? [], [...loc, "functions"], { kind: "function", context }),
  ];
}

type ClauseContext = { kind: "event" | "function"; context: NamingContext | undefined };

function clauseIssues(clauses: Clauses, loc: Loc, { kind, context }: ClauseContext): Issue[] {
  return clauses.flatMap(({ signature, expression }, index) => {
    const read = kind === "event" ? canonicalEvent(signature) : canonicalFunction(signature);
    const msg = read.ok ? signatureProblem(read, kind, context) : read.problem;
    const problem = msg ? [{ loc: [...loc, index, "signature"], msg, type: "value_error" }] : [];
    const checkNames: CheckNames = (parsed) =>
      read.ok ? argumentNameProblem(parsed, read, context) : undefined;
    return [...problem, ...expressionIssues(expression, [...loc, index, "expression"], checkNames)];
  });
}

function expressionIssues(source: string | undefined, loc: Loc, checkNames: CheckNames): Issue[] {
  const parsed = source === undefined ? undefined : parseExpression(source);
  if (!parsed) return [];
  if (parsed.ok) {
    const problem = checkNames(parsed.expression);
    return problem ? [{ loc, msg: problem, type: "expression" }] : [];
  }
  const { message, at } = parsed.problem;
  return [{ loc, msg: `${message} (at character ${at + 1})`, type: "expression" }];
}
