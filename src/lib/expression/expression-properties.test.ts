import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { evaluateExpression, explainExpression, parseExpression } from "./expression.ts";
import { printExpression } from "./print.ts";
import { reduce } from "./rational.ts";
import type { Expression } from "./tree.ts";

/** The processor time of this thread, which a busy machine does not change. */
const cpuMs = () => process.threadCpuUsage().user / 1000;

const numRuns = process.env.TEST_LONG ? 100_000 : 2_000;
if (process.env.TEST_LONG) vi.setConfig({ testTimeout: 600_000 });

const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${max}}$`));
const hexDigits = fc.stringMatching(/^[0-9a-fA-F]{0,44}$/);
const word = fc.constantFrom(
  "a",
  "b",
  "c",
  "d",
  "text",
  "hex",
  "flag",
  "list",
  "group",
  "missing",
  "nothing",
);
const step = fc.oneof(fc.nat(3), fc.constantFrom("x", "y", "length", "in", "__proto__"));
const compareOperator = fc.constantFrom(
  ...(["==", "!=", "<", "<=", ">", ">=", "contains", "starts_with", "ends_with"] as const),
);

const numberNode = fc
  .tuple(digits(30), fc.option(digits(10)), fc.option(fc.integer({ min: -20, max: 20 })))
  .map(([whole, fraction, exponent]): Expression => {
    const places = (fraction?.length ?? 0) - (exponent ?? 0);
    const mantissa = BigInt(whole + (fraction ?? ""));
    return {
      kind: "number",
      text: `${whole}${fraction === null ? "" : `.${fraction}`}${exponent === null ? "" : `e${exponent}`}`,
      value: reduce(mantissa * 10n ** BigInt(Math.max(0, -places)), 10n ** BigInt(Math.max(0, places))),
    };
  });

/** Small numbers are often equal, cancel, or divide by zero. */
const smallNode = fc.nat(4).map(
  (value): Expression => ({
    kind: "number",
    text: `${value}`,
    value: { numerator: BigInt(value), denominator: 1n },
  }),
);

const nameNode = fc
  .tuple(fc.oneof(word, word, fc.constantFrom("$0", "$1")), fc.array(step, { maxLength: 2 }))
  .map(([root, steps]): Expression => ({ kind: "name", path: [root, ...steps] }));
const plainName = word.map((root): Expression => ({ kind: "name", path: [root] }));
/** Names that are always defined as numbers; without them most comparisons would be unknown. */
const numberName = fc.constantFrom("c", "d").map((root): Expression => ({ kind: "name", path: [root] }));
const textName = fc.constantFrom("text", "hex").map((root): Expression => ({ kind: "name", path: [root] }));
const hexNode = hexDigits.map((text): Expression => ({ kind: "hex", text: `0x${text}` }));
const textNode = fc
  .oneof(
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.constantFrom("Ab", "0xab", "12.5", "5", "\\'\"\n\t\r"),
  )
  .map((text): Expression => ({ kind: "text", text }));
const booleanNode = fc.boolean().map((value): Expression => ({ kind: "boolean", value }));
const nullNode = fc.constant<Expression>({ kind: "null" });

type Kinds = { condition: Expression; number: Expression; value: Expression };

const { condition } = fc.letrec<Kinds>((tie) => ({
  number: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(
      { arbitrary: fc.oneof(smallNode, numberName), weight: 6 },
      fc.oneof(numberNode, plainName, nameNode, hexNode),
    ),
    fc.record({ kind: fc.constant("negate" as const), operand: tie("number") }),
    fc.record({
      kind: fc.constant("arithmetic" as const),
      operator: fc.constantFrom(...(["+", "-", "*", "/"] as const)),
      left: tie("number"),
      right: tie("number"),
    }),
  ),
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie("number"),
    fc.oneof(textNode, booleanNode, nullNode),
    tie("condition"),
  ),
  condition: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(nameNode, booleanNode),
    fc.record({
      kind: fc.constant("compare" as const),
      operator: compareOperator,
      left: tie("value"),
      right: tie("value"),
    }),
    {
      arbitrary: fc.record({
        kind: fc.constant("compare" as const),
        operator: fc.constantFrom(...(["==", "!=", "<", "<=", ">", ">="] as const)),
        left: tie("number"),
        right: tie("number"),
      }),
      weight: 4,
    },
    {
      arbitrary: fc.record({
        kind: fc.constant("compare" as const),
        operator: fc.constantFrom(...(["==", "!=", "contains", "starts_with", "ends_with"] as const)),
        left: textName,
        right: fc.oneof(textName, hexNode, textNode),
      }),
      weight: 2,
    },
    fc.record({
      kind: fc.constant("in" as const),
      left: tie("value"),
      items: fc.array(tie("value"), { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant("not" as const), operand: tie("condition") }),
    fc.record({
      kind: fc.constantFrom("and" as const, "or" as const),
      left: tie("condition"),
      right: tie("condition"),
    }),
  ),
}));

const scalar = fc.oneof(
  fc.bigInt(-5n, 5n),
  fc.bigInt(-(2n ** 256n), 2n ** 256n),
  fc.integer({ min: -5, max: 5 }),
  fc.constantFrom(0.5, 0.1, Number.NaN, "5", "-12.50", "Ab", "0xAB", "0xab", "0xabcd", "", true, false, null),
);

const scope = fc.record(
  {
    a: scalar,
    b: scalar,
    c: fc.bigInt(-5n, 5n),
    d: fc.integer({ min: 0, max: 4 }),
    text: fc.constantFrom("Ab", "ab", "0xABCD", "12.5", "5"),
    hex: fc.constantFrom("0xab", "0xAB", "0xabcdef", "0x"),
    flag: fc.boolean(),
    list: fc.array(scalar, { maxLength: 4 }),
    group: fc.record({ x: scalar, y: fc.array(scalar, { maxLength: 2 }), $0: scalar }, { requiredKeys: [] }),
    nothing: fc.constant(null),
    $0: scalar,
    $1: scalar,
  },
  { requiredKeys: ["c", "d", "text", "hex", "flag"] },
);

describe("an expression", () => {
  it("that is printed and parsed again is the same tree", () => {
    fc.assert(
      fc.property(condition, (tree) => {
        const source = printExpression(tree);
        fc.pre(source.length <= 2048);
        const parsed = parseExpression(source);
        if (!parsed.ok) expect(parsed.problem.message).toMatch(/at most/);
        else expect(parsed.expression).toEqual(tree);
      }),
      { numRuns },
    );
  });

  it("evaluates to the result of the oracle", () => {
    fc.assert(
      fc.property(condition, scope, (tree, values) => {
        const expected = read(tree, values);
        const truth = expected?.is === "yes-no" ? expected.value : undefined;
        expect(evaluateExpression(tree, values)).toBe(truth === true);
        const explanation = explainExpression(tree, values);
        expect(explanation.result).toBe(truth === true);
        expect(explanation.unknown === undefined).toBe(truth !== undefined);
      }),
      { numRuns },
    );
  });

  it("of random characters is parsed or rejected with a position within it, in linear time", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 5 }),
      fc.constantFrom("(", ")", "[", "]", "a", ".", "-", "not ", " and ", " or ", "==", "<", "'", '"', "\\"),
      fc.constantFrom("0x", "1e9", "_", "$0", " in ", ",", "*", "/", "true", "null", " contains ", "\n", "="),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const source = pieces.join("");
        const parsed = parseExpression(source);
        if (parsed.ok) evaluateExpression(parsed.expression, { a: 1n });
        else
          expect(parsed.problem.at).toSatisfy(
            (position: number) => position >= 0 && position <= source.length,
          );
      }),
      { numRuns },
    );
  });

  it.each([
    ["brackets", "(".repeat(2048)],
    ["an open text", `'${"\\'".repeat(1023)}`],
    ["open texts", "'".repeat(2047)],
    ["digits", "9".repeat(2048)],
    ["underscores", `1${"_1".repeat(1023)}`],
    ["dots", `a${".a".repeat(1023)}`],
    ["minus", `a == ${"-".repeat(2043)}`],
    ["spaces", " ".repeat(2048)],
    ["far too much", "(a and ".repeat(1_000_000)],
  ])("that repeats %s is parsed in linear time", (_, source) => {
    const start = cpuMs();
    for (let time = 0; time < 20; time += 1) expect(parseExpression(source).ok).toBe(false);
    expect((cpuMs() - start) / 20).toBeLessThan(50);
  });

  it.each([
    ["sums", `${"(1/a)*".repeat(14)}1 + ${"1/b+".repeat(100)}1 > 0`],
    ["products", `${"a/".repeat(14)}${"b*b/b/".repeat(60)}b > 0`],
    [
      "large factors",
      `(${"a*".repeat(13)}1)/(${"b*".repeat(13)}1)${`*(${"a*".repeat(12)}1)/(${"a*".repeat(12)}1)`.repeat(7)} > 0`,
    ],
  ])("with numbers of maximum size is evaluated quickly: %s", (_, source) => {
    const parsed = parseExpression(source);
    if (!parsed.ok) throw new Error(parsed.problem.message);
    const scope = { a: 2n ** 256n - 189n, b: 3n ** 161n };
    const start = cpuMs();
    for (let time = 0; time < 5; time += 1) evaluateExpression(parsed.expression, scope);
    expect((cpuMs() - start) / 5).toBeLessThan(200);
  });
});

/** A value of the oracle; undefined is unknown. */
type Reading =
  | { is: "number"; top: bigint; bottom: bigint; written: boolean }
  | { is: "string"; value: string; bareHex: boolean }
  | { is: "yes-no"; value: boolean }
  | { is: "nothing" }
  | { is: "many"; value: unknown[] }
  | { is: "fields" }
  | undefined;

/** The oracle: a literal interpretation of the tree that shares no code with the evaluator. */
function read(node: Expression, values: Record<string, unknown>): Reading {
  switch (node.kind) {
    case "number":
      return fraction(node.value.numerator, node.value.denominator, true);
    case "hex":
      return { is: "string", value: node.text, bareHex: true };
    case "text":
      return { is: "string", value: node.text, bareHex: false };
    case "boolean":
      return { is: "yes-no", value: node.value };
    case "null":
      return { is: "nothing" };
    case "name": {
      let value: unknown = values;
      for (const key of node.path) {
        if (Array.isArray(value))
          value = typeof key === "number" || key === "length" ? value[key as number] : undefined;
        else if (value === null || typeof value !== "object") value = undefined;
        else {
          const wanted = typeof key === "number" ? `$${key}` : key;
          value = Object.entries(value).find(([name]) => name === wanted)?.[1];
        }
      }
      return given(value);
    }
    case "negate": {
      const inner = number(read(node.operand, values));
      return inner && fraction(-inner.top, inner.bottom, inner.written);
    }
    case "arithmetic": {
      const a = number(read(node.left, values));
      const b = number(read(node.right, values));
      if (!a || !b) return undefined;
      const written = a.written && b.written;
      if (node.operator === "+")
        return fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom, written);
      if (node.operator === "-")
        return fraction(a.top * b.bottom - b.top * a.bottom, a.bottom * b.bottom, written);
      if (node.operator === "*") return fraction(a.top * b.top, a.bottom * b.bottom, written);
      return b.top === 0n ? undefined : fraction(a.top * b.bottom, a.bottom * b.top, written);
    }
    case "compare":
      return yesNo(compare(node.operator, read(node.left, values), read(node.right, values)));
    case "in": {
      const left = read(node.left, values);
      return yesNo(some(node.items.map((item) => compare("==", left, read(item, values)))));
    }
    case "not": {
      const inner = truth(read(node.operand, values));
      return inner === undefined ? undefined : { is: "yes-no", value: !inner };
    }
    case "or":
      return yesNo(some([truth(read(node.left, values)), truth(read(node.right, values))]));
    case "and": {
      const sides = [truth(read(node.left, values)), truth(read(node.right, values))];
      if (sides.includes(false)) return yesNo(false);
      return yesNo(sides.includes(undefined) ? undefined : true);
    }
  }
}

function yesNo(value: boolean | undefined): Reading {
  return value === undefined ? undefined : { is: "yes-no", value };
}

function truth(reading: Reading): boolean | undefined {
  return reading?.is === "yes-no" ? reading.value : undefined;
}

function some(all: (boolean | undefined)[]): boolean | undefined {
  if (all.includes(true)) return true;
  return all.includes(undefined) ? undefined : false;
}

function given(value: unknown): Reading {
  if (value === null) return { is: "nothing" };
  if (typeof value === "bigint") return fraction(value, 1n, false);
  if (value === 0.5) return fraction(1n, 2n, false);
  if (value === 0.1) return fraction(1n, 10n, false);
  if (typeof value === "number") return Number.isNaN(value) ? undefined : fraction(BigInt(value), 1n, false);
  if (typeof value === "string") return { is: "string", value, bareHex: false };
  if (typeof value === "boolean") return { is: "yes-no", value };
  if (Array.isArray(value)) return { is: "many", value };
  return value === undefined ? undefined : { is: "fields" };
}

function fraction(top: bigint, bottom: bigint, written: boolean): (Reading & { is: "number" }) | undefined {
  const common = (a: bigint, b: bigint): bigint => (b === 0n ? a : common(b, a % b));
  const sign = bottom < 0n ? -1n : 1n;
  const divisor = common(top < 0n ? -top : top, bottom * sign);
  const result = {
    is: "number" as const,
    top: (top * sign) / divisor,
    bottom: (bottom * sign) / divisor,
    written,
  };
  const isLarge = (value: bigint) => value.toString(2).replace("-", "").length > 4096;
  return isLarge(result.top) || isLarge(result.bottom) ? undefined : result;
}

function number(reading: Reading): (Reading & { is: "number" }) | undefined {
  if (reading?.is === "number") return reading;
  if (reading?.is !== "string" || !reading.bareHex || reading.value === "0x") return undefined;
  return fraction(BigInt(reading.value), 1n, true);
}

/** The left operand as a number, depending on the other operand. */
function numberBeside(side: Reading, other: Reading): (Reading & { is: "number" }) | undefined {
  if (side?.is === "number") return side;
  if (side?.is !== "string") return undefined;
  if (side.bareHex) {
    return other?.is === "number" || (other?.is === "string" && other.bareHex) ? number(side) : undefined;
  }
  if (other?.is !== "number" || !other.written || !/^-?[0-9]+([.][0-9]+)?$/.test(side.value))
    return undefined;
  const [whole = "", decimals = ""] = side.value.split(".");
  return fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length), false);
}

function compare(operator: string, left: Reading, right: Reading): boolean | undefined {
  if (!left || !right) return undefined;
  if (operator === "!=") {
    const same = compare("==", left, right);
    return same === undefined ? undefined : !same;
  }
  if (operator === "contains" && left.is === "many") {
    return some(left.value.map((item) => compare("==", given(item), right)));
  }
  if (operator === "==" && (left.is === "nothing" || right.is === "nothing")) return left.is === right.is;
  if (operator === "==" && left.is === "yes-no" && right.is === "yes-no") return left.value === right.value;
  const a = numberBeside(left, right);
  const b = numberBeside(right, left);
  const isTextual = operator === "contains" || operator.endsWith("_with");
  if (a && b && !isTextual) {
    const difference = a.top * b.bottom - b.top * a.bottom;
    if (operator === "==") return difference === 0n;
    if (operator === "<") return difference < 0n;
    if (operator === "<=") return difference <= 0n;
    return operator === ">" ? difference > 0n : difference >= 0n;
  }
  if (left.is !== "string" || right.is !== "string" || /[<>]/.test(operator)) return undefined;
  const areHex = [left, right].every((side) => /^0x[0-9a-f]*$/i.test(side.value) && side.value[1] === "x");
  const [whole, part] = areHex
    ? [left.value.toLowerCase().slice(2), right.value.toLowerCase().slice(2)]
    : [left.value, right.value];
  if (operator === "==") return whole === part;
  if (operator === "contains") return whole.indexOf(part) !== -1;
  const from = operator === "starts_with" ? 0 : whole.length - part.length;
  return from >= 0 && whole.slice(from, from + part.length) === part;
}
