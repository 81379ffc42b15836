import { maxDigits, parseDecimal } from "./decimal.ts";
import { comparableText, contentsOf, isHexadecimal } from "./list-contents.ts";
import { compare, type Rational, rationalOf } from "./rational.ts";
import type { CompareOperator, OrderOperator, TextOperator } from "./tree.ts";
import { toValue, type Unknown, unknown, type Value } from "./value.ts";

/** The result of a comparison: true, false, or unknown with a reason. */
export type Truth = boolean | Unknown;

/**
 * Compares two values of like kind; everything else is unknown.
 *
 * - Numbers compare exactly, and only numbers have an order. Text that looks like a decimal number counts as one
 *   beside a number written in the expression, and only there.
 * - Text compares exactly, except that two texts which both look like hex (addresses, hashes, bytes) compare by their
 *   digits in any case; `contains` and `ends_with` then look for the digits after the `0x`.
 * - Whether something is null can always be asked.
 */
export function compareValues(operator: CompareOperator, left: Value, right: Value): Truth {
  if (left.kind === "unknown") return left;
  if (right.kind === "unknown") return right;
  switch (operator) {
    case "==":
      return areEqual(left, right);
    case "!=":
      return invertTruth(areEqual(left, right));
    case "contains":
      return left.kind === "list" ? listContains(left.items, right) : findText(operator, left, right);
    case "starts_with":
    case "ends_with":
      return findText(operator, left, right);
    default:
      return isInOrder(operator, left, right);
  }
}

export function invertTruth(truth: Truth): Truth {
  return typeof truth === "boolean" ? !truth : truth;
}

/** True as soon as one is; otherwise unknown as soon as one is. */
export function anyTruth(truths: Iterable<Truth>): Truth {
  let result: Truth = false;
  for (const truth of truths) {
    if (truth === true) return true;
    if (truth !== false && result === false) result = truth;
  }
  return result;
}

function areEqual(left: Value, right: Value): Truth {
  if (left.kind === "null" || right.kind === "null") return left.kind === right.kind;
  if (left.kind === "boolean" && right.kind === "boolean") return left.value === right.value;
  const numbers = asNumbers(left, right);
  if (numbers) return compare(...numbers) === 0;
  const texts = asTexts(left, right);
  if (texts) return texts.left === texts.right;
  return unlike(left, right);
}

function listContains(items: readonly unknown[], wanted: Value): Truth {
  const { integers, texts, others } = contentsOf(items);
  if ("text" in wanted && texts.has(comparableText(wanted.text))) return true;
  const integer = integerOf(wanted);
  if (integer !== undefined && integers.has(integer)) return true;
  // The others of a kind compare alike, except that text may be a decimal number beside a written one.
  const isWritten = wanted.kind === "number" && wanted.isLiteral;
  return anyTruth([
    ...Array.from(firstOf(integers), (item) => compareItem(item, wanted)),
    ...Array.from(isWritten ? texts : firstOf(texts), (item) => compareItem(item, wanted)),
    ...others.map((item) => compareItem(item, wanted)),
  ]);
}

function integerOf(value: Value): bigint | undefined {
  const number = value.kind === "hex" ? hexToNumber(value.text) : value.kind === "number" && value.value;
  if (!number || number.numerator % number.denominator !== 0n) return undefined;
  return number.numerator / number.denominator;
}

function compareItem(item: unknown, wanted: Value): Truth {
  const value = toValue(item);
  return value.kind === "unknown" ? unknown(`an item ${value.reason}`) : compareValues("==", value, wanted);
}

function firstOf<Item>(items: Iterable<Item>): Item[] {
  for (const item of items) return [item];
  return [];
}

function isInOrder(operator: OrderOperator, left: Value, right: Value): Truth {
  const numbers = asNumbers(left, right);
  if (!numbers) return unlike(left, right);
  const order = compare(...numbers);
  if (order === 0) return operator === ">=" || operator === "<=";
  return order > 0 === operator.startsWith(">");
}

function findText(operator: TextOperator, left: Value, right: Value): Truth {
  const texts = asTexts(left, right);
  if (!texts) return unlike(left, right);
  const wanted = texts.areHex ? texts.right.slice(2) : texts.right;
  const whole = texts.areHex ? texts.left.slice(2) : texts.left;
  if (operator === "contains") return whole.includes(wanted);
  return operator === "starts_with" ? whole.startsWith(wanted) : whole.endsWith(wanted);
}

function asNumbers(left: Value, right: Value): [Rational, Rational] | undefined {
  const a = asNumber(left, right);
  const b = asNumber(right, left);
  return a && b && [a, b];
}

function asNumber(value: Value, other: Value): Rational | undefined {
  if (value.kind === "number") return value.value;
  if (value.kind === "hex" && (other.kind === "number" || other.kind === "hex"))
    return hexToNumber(value.text);
  if (value.kind !== "text" || other.kind !== "number" || !other.isLiteral) return undefined;
  return /^-?\d+(\.\d+)?$/.test(value.text) ? parseDecimal(value.text) : undefined;
}

/** A hex literal as an integer, unless it is empty or too long to be one. */
export function hexToNumber(text: string): Rational | undefined {
  const digits = text.length - 2;
  return digits > 0 && digits <= maxDigits ? rationalOf(BigInt(text)) : undefined;
}

function asTexts(left: Value, right: Value): { left: string; right: string; areHex: boolean } | undefined {
  if (!("text" in left && "text" in right)) return undefined;
  const areHex = isHexadecimal(left.text) && isHexadecimal(right.text);
  if (!areHex) return { left: left.text, right: right.text, areHex };
  return { left: left.text.toLowerCase(), right: right.text.toLowerCase(), areHex };
}

const kindNames = {
  number: "a number",
  hex: "a hex value",
  text: "a text",
  boolean: "true or false",
  null: "null",
  list: "a list",
  group: "a group of fields",
  unknown: "an unknown value",
};

function unlike(left: Value, right: Value): Unknown {
  return unknown(`${kindNames[left.kind]} cannot be compared with ${kindNames[right.kind]} like this`);
}
