import { type Cursor, consumeAny, count, expect, nest, peek } from "./cursor.ts";
import { parseDecimal } from "./decimal.ts";
import { parsePath } from "./parse-path.ts";
import { SyntaxProblem } from "./tokens.ts";
import { type Expression, orderOperators, textOperators } from "./tree.ts";

const maxListItems = 100;
const comparisons = ["==", "!=", ...orderOperators, ...textOperators, "in"] as const;

/** Parses one condition from all tokens. Throws a SyntaxProblem. */
export function parseCondition(cursor: Cursor): Expression {
  const { at } = peek(cursor);
  if (peek(cursor).kind === "end") throw new SyntaxProblem("The expression is empty.", at);
  const condition = asCondition(parseOr(cursor), at);
  const rest = peek(cursor);
  if (rest.kind === "end") return condition;
  throw new SyntaxProblem(`Expected and, or or the end instead of ${JSON.stringify(rest.text)}.`, rest.at);
}

function parseOr(cursor: Cursor): Expression {
  return parseLogic(cursor, "or", ["or", "||"], parseAnd);
}

function parseAnd(cursor: Cursor): Expression {
  return parseLogic(cursor, "and", ["and", "&&"], parseNot);
}

function parseLogic(
  cursor: Cursor,
  kind: "or" | "and",
  words: readonly string[],
  parseOperand: (cursor: Cursor) => Expression,
): Expression {
  const { at } = peek(cursor);
  let left = parseOperand(cursor);
  while (consumeAny(cursor, words) !== undefined) {
    asCondition(left, at);
    const rightAt = peek(cursor).at;
    const right = asCondition(parseOperand(cursor), rightAt);
    left = count(cursor, rightAt, { kind, left, right });
  }
  return left;
}

function parseNot(cursor: Cursor): Expression {
  const { at } = peek(cursor);
  if (consumeAny(cursor, ["not", "!"]) === undefined) return parseComparison(cursor);
  const operandAt = peek(cursor).at;
  const operand = asCondition(
    nest(cursor, at, () => parseNot(cursor)),
    operandAt,
  );
  return count(cursor, at, { kind: "not", operand });
}

function parseComparison(cursor: Cursor): Expression {
  const left = parseSum(cursor);
  const { at } = peek(cursor);
  const operator = consumeAny(cursor, comparisons);
  if (operator === undefined) return left;
  const node: Expression =
    operator === "in"
      ? count(cursor, at, { kind: "in", left, items: parseList(cursor) })
      : count(cursor, at, { kind: "compare", operator, left, right: parseSum(cursor) });
  const next = peek(cursor);
  if (consumeAny(cursor, comparisons) === undefined) return node;
  throw new SyntaxProblem("Comparisons do not chain; join two with and, such as 1 < a and a < 3.", next.at);
}

function parseList(cursor: Cursor): Expression[] {
  const { at } = peek(cursor);
  expect(cursor, "[", "After in comes a list in square brackets, such as [1, 2].");
  const items: Expression[] = [];
  nest(cursor, at, () => {
    do {
      if (items.length === maxListItems) {
        throw new SyntaxProblem(`A list has at most ${maxListItems} items.`, peek(cursor).at);
      }
      items.push(parseSum(cursor));
    } while (consumeAny(cursor, [","]) !== undefined);
  });
  expect(cursor, "]", "The list needs a comma or a closing ] here.");
  return items;
}

function parseSum(cursor: Cursor): Expression {
  return parseArithmetic(cursor, ["+", "-"], parseProduct);
}

function parseProduct(cursor: Cursor): Expression {
  return parseArithmetic(cursor, ["*", "/"], parseUnary);
}

function parseArithmetic(
  cursor: Cursor,
  operators: readonly ("+" | "-" | "*" | "/")[],
  parseOperand: (cursor: Cursor) => Expression,
): Expression {
  const { at } = peek(cursor);
  let left = parseOperand(cursor);
  for (;;) {
    const operator = consumeAny(cursor, operators);
    if (operator === undefined) return left;
    asNumber(left, at);
    const rightAt = peek(cursor).at;
    const right = asNumber(parseOperand(cursor), rightAt);
    left = count(cursor, rightAt, { kind: "arithmetic", operator, left, right });
  }
}

function parseUnary(cursor: Cursor): Expression {
  const { at } = peek(cursor);
  if (consumeAny(cursor, ["-"]) === undefined) return parsePrimary(cursor);
  const operandAt = peek(cursor).at;
  const operand = asNumber(
    nest(cursor, at, () => parseUnary(cursor)),
    operandAt,
  );
  return count(cursor, at, { kind: "negate", operand });
}

function parsePrimary(cursor: Cursor): Expression {
  const { kind, text, at } = peek(cursor);
  if (consumeAny(cursor, ["("]) !== undefined) {
    const inner = nest(cursor, at, () => parseOr(cursor));
    expect(cursor, ")", "A closing ) is missing here.");
    return inner;
  }
  const literal = consumeAny(cursor, ["true", "false", "null"]);
  if (literal === "null") return count(cursor, at, { kind: "null" });
  if (literal !== undefined) return count(cursor, at, { kind: "boolean", value: literal === "true" });
  if (kind === "word") return parsePath(cursor);
  cursor.next += 1;
  if (kind === "number") return count(cursor, at, { kind, text, value: readNumber(text, at) });
  if (kind === "hex" || kind === "text") return count(cursor, at, { kind, text });
  throw new SyntaxProblem("A name, a number or a text is missing here.", at);
}

function readNumber(text: string, position: number): Extract<Expression, { kind: "number" }>["value"] {
  const value = parseDecimal(text);
  if (value !== undefined) return value;
  throw new SyntaxProblem("A number has at most 100 digits, with single _ only between digits.", position);
}

/** Rejects conditions that could only be unknown, such as `a and 5`. */
function asCondition(node: Expression, position: number): Expression {
  const isValue = ["arithmetic", "negate", "number", "hex", "text", "null"].includes(node.kind);
  if (!isValue) return node;
  throw new SyntaxProblem("This is a value and not a condition; compare it with something.", position);
}

function asNumber(node: Expression, position: number): Expression {
  const canBeNumber = ["arithmetic", "negate", "number", "hex", "name"].includes(node.kind);
  if (canBeNumber) return node;
  throw new SyntaxProblem("Only numbers can be calculated with.", position);
}
