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

test("the proximity exceeds 1 exactly when the value is beyond the threshold, whatever the signs", () => {
  fc.assert(
    fc.property(fc.constantFrom<Operator>("gt", "lt"), numbers, numbers, (operator, threshold, value) => {
      const proximity = proximityOf(condition(operator, threshold), value);
      if (proximity === null) return;
      const isBeyond = operator === "gt" ? value > threshold : value < threshold;
      expect({ isBeyond: proximity > 1 }).toEqual({ isBeyond });
    }),
  );
});

test("the proximity to a range is that to its nearer bound", () => {
  fc.assert(
    fc.property(numbers, numbers, numbers, (one, other, value) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      const proximity = proximityOf(condition("outside", low, high), value) ?? 0;
      expect(proximity > 1).toBe(value < low || value > high);
    }),
  );
});
