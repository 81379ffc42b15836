import { anyTruth, compareValues, hexToNumber, invertTruth, type Truth } from "./compare-values.ts";
import { printExpression } from "./print.ts";
import { add, divide, multiply, negate, type Rational, subtract } from "./rational.ts";
import type { ArithmeticOperator, Expression } from "./tree.ts";
import { lookUp, type Scope, unknown, type Value } from "./value.ts";

/** Hears of every comparison: its node, what it came to and the values on its sides. */
export type OnClause = (clause: { node: Expression; truth: Truth; left: Value; right?: Value[] }) => void;

/**
 * Decides a condition in three-valued logic: true, false, or unknown with its reason. With a listener, both sides of
 * `and` and `or` are always looked at, so that an explanation is complete.
 */
export function decide(node: Expression, scope: Scope, onClause?: OnClause): Truth {
  switch (node.kind) {
    case "or":
    case "and": {
      const decisive = node.kind === "or";
      const left = decide(node.left, scope, onClause);
      if (left === decisive && !onClause) return left;
      return combine(decisive, left, decide(node.right, scope, onClause));
    }
    case "not":
      return invertTruth(decide(node.operand, scope, onClause));
    default:
      return decideClause(node, scope, onClause);
  }
}

/** One decisive side settles it; otherwise one unknown side leaves it unknown. */
function combine(decisive: boolean, left: Truth, right: Truth): Truth {
  if (left === decisive || right === decisive) return decisive;
  return typeof left === "boolean" ? right : left;
}

function decideClause(node: Expression, scope: Scope, onClause: OnClause | undefined): Truth {
  if (node.kind === "compare") {
    const left = evaluate(node.left, scope);
    const right = evaluate(node.right, scope);
    const truth = compareValues(node.operator, left, right);
    onClause?.({ node, truth, left, right: [right] });
    return truth;
  }
  if (node.kind === "in") {
    const left = evaluate(node.left, scope);
    const right = node.items.map((item) => evaluate(item, scope));
    const truth = anyTruth(right.map((item) => compareValues("==", left, item)));
    onClause?.({ node, truth, left, right });
    return truth;
  }
  const left = evaluate(node, scope);
  const truth = truthOf(left, node);
  onClause?.({ node, truth, left });
  return truth;
}

function truthOf(value: Value, node: Expression): Truth {
  if (value.kind === "boolean") return value.value;
  return value.kind === "unknown" ? value : unknown(`${printExpression(node)} is neither true nor false`);
}

function evaluate(node: Expression, scope: Scope): Value {
  switch (node.kind) {
    case "number":
      return { kind: "number", value: node.value, isLiteral: true };
    case "hex":
    case "text":
    case "boolean":
    case "null":
      return node;
    case "name":
      return lookUp(scope, node.path);
    case "negate": {
      const operand = asNumber(evaluate(node.operand, scope));
      return operand.kind === "number" ? { ...operand, value: negate(operand.value) } : operand;
    }
    case "arithmetic":
      return calculate(node.operator, evaluate(node.left, scope), evaluate(node.right, scope));
    default: {
      const truth = decide(node, scope);
      return typeof truth === "boolean" ? { kind: "boolean", value: truth } : truth;
    }
  }
}

function calculate(operator: ArithmeticOperator, leftValue: Value, rightValue: Value): Value {
  const left = asNumber(leftValue);
  const right = asNumber(rightValue);
  if (left.kind !== "number") return left;
  if (right.kind !== "number") return right;
  if (operator === "/" && right.value.numerator === 0n) return unknown("it divides by zero");
  const value = results[operator](left.value, right.value);
  if (value === undefined) return unknown("a number on the way grows too large");
  return { kind: "number", value, isLiteral: left.isLiteral && right.isLiteral };
}

const results: Record<ArithmeticOperator, (a: Rational, b: Rational) => Rational | undefined> = {
  "+": add,
  "-": subtract,
  "*": multiply,
  "/": divide,
};

function asNumber(value: Value): Extract<Value, { kind: "number" | "unknown" }> {
  if (value.kind === "number" || value.kind === "unknown") return value;
  const number = value.kind === "hex" ? hexToNumber(value.text) : undefined;
  if (number === undefined) return unknown("something that is calculated with is not a number");
  return { kind: "number", value: number, isLiteral: true };
}
