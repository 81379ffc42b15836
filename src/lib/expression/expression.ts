import { evaluateCondition } from "./evaluate.ts";
import { parseCondition } from "./parse.ts";
import { readTokens, SyntaxProblem } from "./tokens.ts";
import type { Expression } from "./tree.ts";
import type { Scope } from "./value.ts";

export { explainExpression } from "./explain.ts";
export { type Expression, expressionSize, namesIn } from "./tree.ts";
export type { Scope } from "./value.ts";

export type ParsedExpression =
  | { ok: true; expression: Expression }
  | { ok: false; problem: ExpressionProblem };

/** A syntax problem and the index of its character. */
export type ExpressionProblem = { message: string; at: number };

export const maxSourceLength = 2048;

/** Parses a condition on decoded arguments, such as `amount >= 1e18 and not (to in [0xabc, 0xdef])`. Never throws. */
export function parseExpression(source: string): ParsedExpression {
  if (source.length > maxSourceLength) {
    const message = `An expression has at most ${maxSourceLength} characters.`;
    return { ok: false, problem: { message, at: maxSourceLength } };
  }
  try {
    const cursor = { tokens: readTokens(source), next: 0, nodes: 0, depth: 0 };
    return { ok: true, expression: parseCondition(cursor) };
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return { ok: false, problem: { message: error.message, at: error.at } };
  }
}

/** True when the condition holds. An unknown result, such as a comparison of different types, counts as false. */
export function evaluateExpression(expression: Expression, scope: Scope): boolean {
  return evaluateCondition(expression, scope) === true;
}
