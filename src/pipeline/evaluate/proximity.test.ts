import fc from "fast-check";
import { expect, test } from "vitest";
import { proximityOf } from "./proximity.ts";
import type { Condition, Operator } from "./rule.ts";

const condition = (operator: Operator, threshold: number, threshold_high = 0): Condition => ({
  operator,
  threshold,
  threshold_high,
  aggregation: "last",
  window_seconds: 60,
});
const numbers = fc.integer({ min: -1000, max: 1000 });

test("below 1 nothing fires and above 1 something does, whatever the signs", () => {
  fc.assert(
    fc.property(fc.constantFrom<Operator>("gt", "lt"), numbers, numbers, (operator, threshold, value) => {
      const near = proximityOf(condition(operator, threshold), value);
      if (near === null) return;
      const isBeyond = operator === "gt" ? value > threshold : value < threshold;
      expect({ isBeyond: near > 1 }).toEqual({ isBeyond });
    }),
  );
});

test("the nearer bound of a range counts", () => {
  fc.assert(
    fc.property(numbers, numbers, numbers, (one, other, value) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      const near = proximityOf(condition("outside", low, high), value) ?? 0;
      expect(near > 1).toBe(value < low || value > high);
    }),
  );
});
