import type { Rational } from "./rational.ts";

/** The syntax tree. Chains such as `a + b + c` are left-associative. */
export type Expression =
  | { kind: "or" | "and"; left: Expression; right: Expression }
  | { kind: "not"; operand: Expression }
  | { kind: "compare"; operator: CompareOperator; left: Expression; right: Expression }
  | { kind: "in"; left: Expression; items: Expression[] }
  | { kind: "arithmetic"; operator: ArithmeticOperator; left: Expression; right: Expression }
  | { kind: "negate"; operand: Expression }
  /** `text` is the literal as written, so that an explanation shows `1e18` as `1e18`. */
  | { kind: "number"; text: string; value: Rational }
  | { kind: "hex"; text: string }
  | { kind: "text"; text: string }
  | { kind: "boolean"; value: boolean }
  | { kind: "null" }
  /** `a.b[0]` is `["a", "b", 0]`, and the second argument is `["$1"]`. */
  | { kind: "name"; path: Path };

export type Path = [string, ...(string | number)[]];

export const orderOperators = [">=", "<=", ">", "<"] as const;
export const textOperators = ["contains", "starts_with", "ends_with"] as const;

export type OrderOperator = (typeof orderOperators)[number];
export type TextOperator = (typeof textOperators)[number];
export type CompareOperator = "==" | "!=" | OrderOperator | TextOperator;
export type ArithmeticOperator = "+" | "-" | "*" | "/";

/** The distinct root names of an expression in the order of appearance: `a` for `a.b[0]`. */
export function namesIn(expression: Expression): string[] {
  const names = new Set<string>();
  visit(expression, (node) => {
    if (node.kind === "name") names.add(node.path[0]);
  });
  return [...names];
}

const sizes = new WeakMap<Expression, number>();

/** Returns the number of parts, to which the time for an evaluation is proportional. */
export function expressionSize(expression: Expression): number {
  const known = sizes.get(expression);
  if (known !== undefined) return known;
  let size = 0;
  visit(expression, () => size++);
  sizes.set(expression, size);
  return size;
}

function visit(node: Expression, onNode: (node: Expression) => void): void {
  onNode(node);
  if ("left" in node) visit(node.left, onNode);
  if ("right" in node) visit(node.right, onNode);
  if ("operand" in node) visit(node.operand, onNode);
  if ("items" in node) for (const item of node.items) visit(item, onNode);
}
