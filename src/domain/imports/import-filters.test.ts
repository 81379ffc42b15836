import { expect, test } from "vitest";
import { isDefinitionShort } from "../../wire/definition-length.ts";
import { makeFilterConverter } from "./import-filters.ts";

test("a filter of a monitor that is longer than a rule may be loses clauses, so that its rule stays disabled", () => {
  const expression = `(${"from == to || ".repeat(120)}from == to)`;
  const clauses = Array.from({ length: 50 }, (_, n) => ({
    signature: `f${n}(address from, address to)`,
    expression,
  }));
  const filter = { status: "any" as const, events: clauses, functions: clauses, expression: "" };
  const { match, isLost } = makeFilterConverter()(filter as never);
  expect(match?.events?.length).toBeGreaterThan(5);
  expect(isDefinitionShort({ operator: "gte", match })).toBe(true);
  expect(isLost).toBe(true);
});
