import type { Expression, Path } from "./tree.ts";

/** Prints a tree as source text that parses to the same tree, with minimal brackets. */
export function printExpression(node: Expression): string {
  switch (node.kind) {
    case "or":
    case "and":
      return binary(node.left, node.kind, node.right, ranks[node.kind]);
    case "not":
      return `not ${atLeast(ranks.not, node.operand)}`;
    case "compare":
      return `${atLeast(ranks.sum, node.left)} ${node.operator} ${atLeast(ranks.sum, node.right)}`;
    case "in":
      return `${atLeast(ranks.sum, node.left)} in [${node.items.map((item) => atLeast(ranks.sum, item)).join(", ")}]`;
    case "arithmetic":
      return binary(node.left, node.operator, node.right, rankOf(node));
    case "negate":
      return `-${atLeast(ranks.negate, node.operand)}`;
    case "number":
    case "hex":
      return node.text;
    case "text":
      return quote(node.text);
    case "boolean":
      return String(node.value);
    case "null":
      return "null";
    case "name":
      return printPath(node.path);
  }
}

/** The precedence of each node kind. */
const ranks = { or: 1, and: 2, not: 3, comparison: 4, sum: 5, product: 6, negate: 7, leaf: 8 };

function rankOf(node: Expression): number {
  switch (node.kind) {
    case "or":
    case "and":
    case "not":
    case "negate":
      return ranks[node.kind];
    case "compare":
    case "in":
      return ranks.comparison;
    case "arithmetic":
      return node.operator === "+" || node.operator === "-" ? ranks.sum : ranks.product;
    default:
      return ranks.leaf;
  }
}

/** Operators are left-associative, so a right operand of the same precedence needs brackets. */
function binary(left: Expression, operator: string, right: Expression, rank: number): string {
  return `${atLeast(rank, left)} ${operator} ${atLeast(rank + 1, right)}`;
}

function atLeast(rank: number, node: Expression): string {
  const text = printExpression(node);
  return rankOf(node) >= rank ? text : `(${text})`;
}

const escapes: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\", '"': '\\"' };

function quote(text: string): string {
  return `"${text.replace(/[\n\r\t\\"]/g, (character) => escapes[character] ?? character)}"`;
}

/** The source text of a path. */
export function printPath([root, ...steps]: Path): string {
  return root + steps.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
}
