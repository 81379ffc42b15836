import { expect, test, vi } from "vitest";
import { evaluateExpression, expressionSize, parseExpression } from "./expression.ts";

function parsed(source: string) {
  const result = parseExpression(source);
  if (!result.ok) throw new Error(result.problem.message);
  return result.expression;
}

test("a long list is read once, however many comparisons an expression has", () => {
  const items = Array.from({ length: 1_000 }, (_, n) => BigInt(n) + 10n);
  const visit = vi.spyOn(items, Symbol.iterator);
  const expression = parsed(Array.from({ length: 100 }, (_, n) => `items contains ${n % 10}`).join(" or "));
  expect(evaluateExpression(expression, { items })).toBe(false);
  expect(visit).toHaveBeenCalledTimes(1);
  expect(evaluateExpression(parsed("items contains 1009.0 and items contains 0xa"), { items })).toBe(true);
});

test("a list of texts contains hex in any case, and other text exactly", () => {
  const scope = { items: ["0xABcd", "Pause", "12.50", null, true, ["x"]] };
  const holds = (source: string) => evaluateExpression(parsed(source), scope);
  expect(holds("items contains 0xabCD and items contains 'Pause' and items contains 12.5")).toBe(true);
  expect(holds("items contains null and items contains true")).toBe(true);
  for (const none of ["'pause'", "0xab", "12", "false"]) expect(holds(`items contains ${none}`)).toBe(false);
});

test("the size of an expression is the number of its parts", () => {
  expect(expressionSize(parsed("a > 1"))).toBe(3);
  expect(expressionSize(parsed("a > 1 and not b in [1, 2]"))).toBe(9);
});
