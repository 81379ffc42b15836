import { expect, test } from "vitest";
import type { Condition } from "@/queries/alerts.ts";
import type { TargetType } from "@/queries/contracts.ts";
import { conditionText, furtherText, ruleText } from "./sentence.ts";

test.each([
  [
    { operator: "gte", threshold: 3, aggregation: "count", window_seconds: 300 },
    "events",
    "the number over 5 min is at least 3 events",
  ],
  [
    { operator: "between", threshold: 1, threshold_high: 2, aggregation: "avg", window_seconds: 60 },
    null,
    "the average over 1 min is between 1 and 2",
  ],
  [{ operator: "changed" }, null, "the value changes"],
  [{ operator: "gt", threshold: 1_000, aggregation: "each" }, "units", "each one is above 1,000 units"],
  [
    { operator: "change_pct_lt", threshold: -20, window_seconds: 3600 },
    "units",
    "the value over 1 h falls by more than 20 %",
  ],
] as const)("%j reads as a sentence", (condition, unit, text) => {
  expect(conditionText(condition, unit)).toBe(text);
});

const types = [
  {
    ...{ target_type: "tx_rate", title: "Transactions", counts_occurrences: true },
    ...{ default_aggregation: "each", window_aggregation: "count" },
  },
  {
    ...{ target_type: "native_balance", title: "Native balance", counts_occurrences: false },
    ...{ default_aggregation: "last", window_aggregation: "last" },
  },
] as TargetType[];

test.each([
  [
    "tx_rate",
    { operator: "gte", threshold: 2, window_seconds: 300 },
    "Transactions: the number over 5 min is at least 2",
  ],
  ["tx_rate", { operator: "gte", threshold: 1, window_seconds: 300 }, "Transactions: each one is at least 1"],
  ["native_balance", { operator: "lt", threshold: 5 }, "Native balance: the value is below 5"],
  [
    "native_balance",
    { operator: "lt", threshold: 5, any: [{ target_id: "b", operator: "lt", threshold: 1 }] },
    "Native balance: the value is below 5, or 1 further condition",
  ],
  ["removed_type", { operator: "changed" }, "removed_type: the value changes"],
] as const)("a rule on %s in a list names what it measures", (target_type, condition, text) => {
  expect(ruleText({ target_type, condition: condition as Condition }, types)).toBe(text);
});

test("further conditions and groups are part of the sentence", () => {
  const targets = [{ id: "b", name: "Balance", unit: "ETH" }];
  const other = { target_id: "b", operator: "lt", threshold: 5 } as const;
  const own = { operator: "gte", threshold: 2 } as const;
  expect(furtherText({ ...own, all: [other] }, targets)).toBe(", and Balance: the value is below 5 ETH");
  expect(furtherText({ ...own, any: [other, { ...other, target_id: "gone" }] }, targets)).toBe(
    ", or Balance: the value is below 5 ETH, or another value: the value is below 5",
  );
  expect(furtherText({ ...own, group_by: "args.to" }, targets)).toBe(", counted for each to");
});
