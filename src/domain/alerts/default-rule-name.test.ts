import { expect, test } from "vitest";
import { defaultRuleName } from "./default-rule-name.ts";

test.each([
  [{ operator: "gte", threshold: 3 }, "Balance at least 3"],
  [{ operator: "outside", threshold: 0.99, threshold_high: 1.01 }, "Balance outside 0.99 to 1.01"],
  [{ operator: "change_pct_lt", threshold: -20 }, "Balance down by 20 %"],
  [{ operator: "change_pct_lt", threshold: 20 }, "Balance change below 20 %"],
  [{ operator: "change_pct_lt", threshold: 0 }, "Balance down by 0 %"],
  [{ operator: "changed" }, "Balance changed"],
] as const)("a rule with %j and no name is named after what it measures", (condition, name) => {
  expect(defaultRuleName("Balance", condition)).toBe(name);
});

test("a default name is not longer than a name may be", () => {
  expect(defaultRuleName("B".repeat(300), { operator: "changed" })).toHaveLength(200);
});
