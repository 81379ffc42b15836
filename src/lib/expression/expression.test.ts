import { describe, expect, it } from "vitest";
import { evaluateExpression, explainExpression, namesIn, parseExpression } from "./expression.ts";

const address = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

const scope = {
  amount: 5_000_000_000_000_000_000n,
  huge: 2n ** 256n - 1n,
  share: 0.3,
  count: 7,
  decimalText: "12.50",
  name: "Treasury",
  from: address,
  data: "0xa9059cbb00000000000000000000000000000000000000000000000000000000DEADBEEF",
  paused: true,
  nothing: null,
  notANumber: Number.NaN,
  infinite: Number.POSITIVE_INFINITY,
  ids: [1n, 2n, 3n],
  holders: [address.toLowerCase()],
  order: { maker: address, parts: [{ size: 3n }], $0: address, length: 9n },
  $0: address,
  $1: 5n,
};

function parsed(source: string) {
  const result = parseExpression(source);
  if (!result.ok) throw new Error(`${source}: ${result.problem.message}`);
  return result.expression;
}

function problemOf(source: string) {
  const result = parseExpression(source);
  return result.ok ? undefined : result.problem;
}

const holds = (source: string) => evaluateExpression(parsed(source), scope);

describe("an expression that holds", () => {
  it.each([
    "amount > 4e18",
    "amount == 5_000_000_000_000_000_000",
    "amount / 1e18 == 5",
    "amount >= 5e18 AND amount <= 5e18",
    "huge == 0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "huge + 1 == 115792089237316195423570985008687907853269984665640564039457584007913129639936",
    "huge / 3 * 3 == huge",
    "share == 0.3",
    "share * 10 == 3",
    "count == 7 and count != 8",
    "1 + 2 * 3 == 7",
    "(1 + 2) * 3 == 9",
    "8 - 3 - 2 == 3",
    "8 / 4 / 2 == 1",
    "-count + 8 == 1",
    "- -count == 7",
    "1 / 3 + 1 / 3 + 1 / 3 == 1",
    "0.1 + 0.2 == 0.3",
    "1.5e3 == 1500 and 15e-1 == 1.5",
    "decimalText == 12.5 and decimalText < 100",
    "decimalText == '12.50'",
    "name == \"Treasury\" and name != 'treasury'",
    "name contains 'eas' and name starts_with 'Tr' and name ends_with 'ury'",
    `from == ${address.toLowerCase()}`,
    `from == '${address.toUpperCase().replace("0X", "0x")}'`,
    "from starts_with 0xa0B8",
    "data starts_with 0xA9059CBB and data ends_with 0xdeadbeef and data contains 0x00de",
    "paused",
    "paused == true and not (paused == false)",
    "! (amount < 1) && (count > 100 || paused)",
    "nothing == null and name != null",
    "count in [1, 2, 3 + 4]",
    `from IN [0x00, ${address.toLowerCase()}]`,
    "ids contains 2 and not (ids contains 4)",
    `holders contains ${address}`,
    "ids[0] == 1 and ids[2] == 3 and ids.length == 3",
    `order.maker == ${address} and order[0] == ${address}`,
    "order.parts[0].size == 3 and order.length == 9",
    `$0 == ${address} and $1 > 4`,
    "0xff == 255 and 0x10 + 1 == 17",
    "(count > 1) == true",
    "true or missing > 1",
    "not (false and missing > 1)",
    "'a\\u0041\\n\\'' == \"aA\\n'\"",
    "not not paused",
    "amount>4e18&&count<8",
  ])("%s", (source) => expect(holds(source)).toBe(true));
});

describe("an expression that does not hold", () => {
  it.each([
    "amount > 5e18",
    "false",
    "name contains 'EAS'",
    "count in [1, 2]",
    "ids contains 9",
    "not paused",
    "amount > 4e18 and count > 7",
  ])("%s", (source) => expect(holds(source)).toBe(false));
});

describe("a comparison whose result is unknown, like that of its opposite", () => {
  it.each([
    "missing == 1",
    "missing == null",
    "__proto__ == null",
    "constructor == null",
    "toString != null",
    "order.constructor != null",
    "order.__proto__ != null",
    "name.length == 8",
    "ids.constructor != null",
    "ids[3] == 1",
    "ids[0][0] == 1",
    "name == 5",
    "name > 'A'",
    "name < 5",
    "from > 0x00",
    "amount contains 5",
    "amount == '5000000000000000000'",
    "decimalText == amount",
    "decimalText + 1 == 13.5",
    "count / 0 == 1",
    "count / (7 - count) > 0",
    "notANumber == notANumber",
    "infinite > 1",
    "ids == ids",
    "order == order",
    "paused > false",
    "paused == 1",
    "amount",
    "ids contains missing",
    "count in [1, missing]",
    "huge * huge * huge * huge * huge * huge * huge * huge * huge * huge * huge * huge * huge * huge * huge * huge * huge > 0",
    `${"0x".padEnd(103, "f")} > 1`,
    "0x == 0",
  ])("%s", (source) => {
    expect(holds(source)).toBe(false);
    expect(holds(`not (${source})`)).toBe(false);
    expect(explainExpression(parsed(source), scope).unknown).toMatch(/\w/);
  });
});

describe("a text that is not an expression", () => {
  it.each([
    ["", "empty", 0],
    ["   ", "empty", 3],
    ["a = 1", "write ==", 2],
    ["a === 1", "write ==", 4],
    ["1 < a < 3", "do not chain", 6],
    ["a == b == c", "do not chain", 7],
    ["a[-1] == 0", "whole number", 2],
    ["a[1.5] == 0", "whole number", 2],
    ["a[b] == 0", "whole number", 2],
    ["a[1", "closing ]", 3],
    ["(a == 1", "closing )", 7],
    ["a == 1)", "instead of", 6],
    ["a == 1 b", "instead of", 7],
    ["a ==", "missing here", 4],
    ["and a", "missing before", 0],
    ["a and", "missing here", 5],
    ["a in 5", "square brackets", 5],
    ["a in []", "missing here", 6],
    ["a in [1,]", "missing here", 8],
    ["a in [1 2]", "comma", 8],
    ["a + 1", "not a condition", 0],
    ["a and 5", "not a condition", 6],
    ["not 'x'", "not a condition", 4],
    ["'x' + 1 == 2", "calculated with", 0],
    ["1 + (a and b) == 2", "calculated with", 4],
    ["a ^ 2 == 4", "powers", 2],
    ["a & b", "and, or", 2],
    ["a == 'x", "closing quote", 5],
    ["a == 'x\\q'", "not an escape", 7],
    ["a == 5x", "neither a number nor a name", 5],
    ["a > 1and b", "neither a number nor a name", 4],
    ["a == 0xfg", "neither a number nor a name", 5],
    ["a$b == 1", "neither a number nor a name", 0],
    ["a == .5", "missing here", 5],
    ["a == 1__0", "between digits", 5],
    ["a == 1e100", "100 digits", 5],
    ["$x == 1", "position", 0],
    ["a.$0 == 1", "name of a field", 2],
    ["é == 1", '"é" has no meaning', 0],
    ["😀", '"😀" has no meaning', 0],
    ["a == 1; b", '";" has no meaning', 6],
    ["f(a) == 1", "instead of", 1],
  ])("%s", (source, message, index) => {
    expect(problemOf(source)).toEqual({ message: expect.stringContaining(message), at: index });
  });
});

describe("the size limits of expressions", () => {
  const chain = (terms: number) => Array.from({ length: terms }, () => "1").join("+");

  it.each([
    ["characters", "true".padEnd(2048), "true".padEnd(2049)],
    ["brackets", `${"(".repeat(32)}a${")".repeat(32)}`, `${"(".repeat(33)}a${")".repeat(33)}`],
    ["not", `${"!".repeat(32)}a`, `${"!".repeat(33)}a`],
    ["minus", `1>${"-".repeat(32)}a`, `1>${"-".repeat(33)}a`],
    ["parts", `-1<${chain(249)}`, `-1<-${chain(249)}`],
    ["steps of a path", `a${"[0]".repeat(499)}`, `a${"[0]".repeat(500)}`],
    ["items", `a in [${Array(100).fill("1")}]`, `a in [${Array(101).fill("1")}]`],
    ["digits", `a > ${"9".repeat(100)}`, `a > ${"9".repeat(101)}`],
    ["digits of a power", "a > 1e99", "a > 1e100"],
    ["decimals", `a > 0.${"1".repeat(99)}`, `a > 0.${"1".repeat(100)}`],
    ["an index", "a[999999999] == 1", "a[1000000000] == 1"],
  ])("are exact for %s", (_, within, beyond) => {
    expect(problemOf(within)).toBeUndefined();
    expect(problemOf(beyond)?.message).toMatch(/at most|whole number/);
  });
});

describe("namesIn", () => {
  it("returns each root name once, in the order of appearance", () => {
    expect(namesIn(parsed("b.x > a[0] or not ($1 in [c, b]) and -d + 1 == a"))).toEqual([
      "b",
      "a",
      "$1",
      "c",
      "d",
    ]);
    expect(namesIn(parsed("1 == 1"))).toEqual([]);
  });
});

describe("an explanation", () => {
  it("shows each comparison with the values of its operands", () => {
    const expression = parsed(
      `amount/1e18 >= 5 and (from in [0x01, ${address}] or ids contains 9) and not paused`,
    );
    expect(explainExpression(expression, scope)).toEqual({
      result: false,
      clauses: [
        { text: "amount / 1e18 >= 5", result: true, left: "5", right: "5" },
        { text: `from in [0x01, ${address}]`, result: true, left: address, right: `[0x01, ${address}]` },
        { text: "ids contains 9", result: false, left: "[1, 2, 3]", right: "9" },
        { text: "paused", result: true, left: true },
      ],
    });
  });

  it("states the reason of an unknown result", () => {
    expect(explainExpression(parsed("missing > 1"), scope)).toEqual({
      result: false,
      unknown: "missing is not known here",
      clauses: [{ text: "missing > 1", result: false, unknown: "missing is not known here", right: "1" }],
    });
    expect(explainExpression(parsed("missing > 1 or paused"), scope)).toMatchObject({ result: true });
  });

  it("prints exact fractions and shortens long values", () => {
    const [third, quarter, long] = explainExpression(parsed(`1 / 3 > 0 and -1 / 4 < 0 and text == 'a'`), {
      text: "x".repeat(1000),
    }).clauses;
    expect(third?.left).toBe("1/3");
    expect(quarter?.left).toBe("-0.25");
    expect(String(long?.left)).toHaveLength(200);
  });

  it("is plain JSON", () => {
    const explanation = explainExpression(parsed("huge > 1 and order == 1 and nothing == null"), scope);
    expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation);
  });
});
