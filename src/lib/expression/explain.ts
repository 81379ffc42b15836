import type { Truth } from "./compare-values.ts";
import { formatRational } from "./decimal.ts";
import { decide } from "./evaluate.ts";
import { printExpression } from "./print.ts";
import type { Expression } from "./tree.ts";
import { type Scope, toValue, type Value } from "./value.ts";

/** Why an expression held or not; plain JSON. `unknown` says why something that counts as false could not be told. */
export type Explanation = { result: boolean; unknown?: string; clauses: Clause[] };

/** One comparison of the expression, with the values that were seen on its sides. */
export type Clause = { text: string; result: boolean; unknown?: string; left?: Seen; right?: Seen };

/** Numbers are exact decimal texts, since JSON has no integers of this size. */
export type Seen = string | boolean | null;

const maxSeenLength = 200;

/** Evaluates an expression and tells of every comparison in it, the ones that did not matter too. */
export function explainExpression(expression: Expression, scope: Scope): Explanation {
  const clauses: Clause[] = [];
  const truth = decide(expression, scope, ({ node, truth, left, right }) => {
    clauses.push({
      text: printExpression(node),
      ...resultOf(truth),
      ...(left.kind !== "unknown" && { left: seen(left) }),
      ...(right && isKnown(right) && { right: seenAll(node, right) }),
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

function seenAll(node: Expression, values: Value[]): Seen {
  const [first] = values;
  if (node.kind !== "in" && first) return seen(first);
  return cut(`[${values.map((value) => String(seen(value))).join(", ")}]`);
}

function seen(value: Value): Seen {
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
      return seenList(value.items);
    case "group":
      return "{…}";
    case "unknown":
      return "?";
  }
}

function seenList(items: readonly unknown[]): string {
  const first = items.slice(0, 10).map((item) => {
    const value = toValue(item);
    return value.kind === "list" ? "[…]" : String(seen(value));
  });
  return cut(`[${[...first, ...(items.length > 10 ? ["…"] : [])].join(", ")}]`);
}

function cut(text: string): string {
  return text.length <= maxSeenLength ? text : `${text.slice(0, maxSeenLength - 1)}…`;
}
