import { anyTruth, compareValues, hexToNumber, invertTruth, type Truth } from "./compare-values.ts";
import { printExpression } from "./print.ts";
import { add, divide, multiply, negate, type Rational, subtract } from "./rational.ts";
import type { ArithmeticOperator, Expression } from "./tree.ts";
import { lookUp, type Scope, unknown, type Value } from "./value.ts";

/** Called for every comparison with its node, result and operands. */
export type OnClause = (clause: { node: Expression; truth: Truth; left: Value; right?: Value[] }) => void;

/**
 * Evaluates a condition in three-valued logic. With a listener, both operands of `and` and `or` are always evaluated,
 * so that the explanation is complete.
 */
export function evaluateCondition(node: Expression, scope: Scope, onClause?: OnClause): Truth {
  switch (node.kind) {
    case "or":
    case "and": {
      const decisive = node.kind === "or";
      const left = evaluateCondition(node.left, scope, onClause);
      if (left === decisive && !onClause) return left;
      return combine(decisive, left, evaluateCondition(node.right, scope, onClause));
    }
    case "not":
      return invertTruth(evaluateCondition(node.operand, scope, onClause));
    default:
      return evaluateClause(node, scope, onClause);
  }
}

/** A decisive operand determines the result; otherwise an unknown operand makes it unknown. */
function combine(decisive: boolean, left: Truth, right: Truth): Truth {
  if (left === decisive || right === decisive) return decisive;
  return typeof left === "boolean" ? right : left;
}

function evaluateClause(node: Expression, scope: Scope, onClause: OnClause | undefined): Truth {
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
      const truth = evaluateCondition(node, scope);
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
