import type { Truth } from "./compare-values.ts";
import { formatRational } from "./decimal.ts";
import { evaluateCondition } from "./evaluate.ts";
import { printExpression } from "./print.ts";
import type { Expression } from "./tree.ts";
import { type Scope, toValue, type Value } from "./value.ts";

/**
 * The explanation of a result, as plain JSON. `unknown` is the reason why a condition that counts as false could not
 * be evaluated.
 */
export type Explanation = { result: boolean; unknown?: string; clauses: Clause[] };

/** One comparison of the expression with the values of its operands. */
export type Clause = {
  text: string;
  result: boolean;
  unknown?: string;
  left?: ShownValue;
  right?: ShownValue;
};

/** Numbers are exact decimal texts, since JSON has no integers of this size. */
export type ShownValue = string | boolean | null;

const maxSeenLength = 200;

/** Evaluates an expression and explains every comparison, also those that did not affect the result. */
export function explainExpression(expression: Expression, scope: Scope): Explanation {
  const clauses: Clause[] = [];
  const truth = evaluateCondition(expression, scope, ({ node, truth, left, right }) => {
    clauses.push({
      text: printExpression(node),
      ...resultOf(truth),
      ...(left.kind !== "unknown" && { left: shownValue(left) }),
      ...(right && isKnown(right) && { right: shownValues(node, right) }),
    });
  });
  return { ...resultOf(truth), clauses };
}

function resultOf(truth: Truth): { result: boolean; unknown?: string } {
  return typeof truth === "boolean" ? { result: truth } : { result: false, unknown: truth.reason };
}

function isKnown(values: Value[]): boolean {
  return values.some((value) => value.kind !== "unknown");
}

function shownValues(node: Expression, values: Value[]): ShownValue {
  const [first] = values;
  if (node.kind !== "in" && first) return shownValue(first);
  return cut(`[${values.map((value) => String(shownValue(value))).join(", ")}]`);
}

function shownValue(value: Value): ShownValue {
  switch (value.kind) {
    case "number":
      return cut(formatRational(value.value));
    case "hex":
    case "text":
      return cut(value.text);
    case "boolean":
      return value.value;
    case "null":
      return null;
    case "list":
      return shownList(value.items);
    case "group":
      return "{…}";
    case "unknown":
      return "?";
  }
}

function shownList(items: readonly unknown[]): string {
  const first = items.slice(0, 10).map((item) => {
    const value = toValue(item);
    return value.kind === "list" ? "[…]" : String(shownValue(value));
  });
  return cut(`[${[...first, ...(items.length > 10 ? ["…"] : [])].join(", ")}]`);
}

function cut(text: string): string {
  return text.length <= maxSeenLength ? text : `${text.slice(0, maxSeenLength - 1)}…`;
}
