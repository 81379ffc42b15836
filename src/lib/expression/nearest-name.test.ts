import fc from "fast-check";
import { expect, test } from "vitest";
import { nearestName, suggestNames } from "./nearest-name.ts";

test.each([
  ["amout", ["from", "to", "amount"], "amount"],
  ["gasused", ["gas_used", "gas_limit"], "gas_used"],
  ["role_change", ["ownership_change", "tx_rate"], undefined],
  ["tx_rates", ["ownership_change", "tx_rate"], "tx_rate"],
  ["zzz", ["amount"], undefined],
])("the name nearest to %s among %j is %s", (name, known, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});

test("a name is nearest to itself, whatever else exists", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 30 }), fc.array(fc.string()), (name, others) => {
      expect(nearestName(name, [...others, name])?.toLowerCase()).toBe(name.toLowerCase());
    }),
  );
});

test("a suggestion lists the names that exist, shortened when there are many", () => {
  expect(suggestNames("amout", ["to", "amount"])).toBe("did you mean amount? The names are to, amount");
  expect(suggestNames("zzz", ["to"], "arguments")).toBe("the arguments are to");
  expect(suggestNames("zzz", [], "arguments")).toBe("there are no arguments");
  const many = Array.from({ length: 50 }, (_, index) => `Event${index}()`);
  expect(suggestNames("x", many, "events")).toMatch(/Event39\(\) and 10 more$/);
});
