import { expect, test } from "vitest";
import { compareSeverity, maxSeverity } from "./severity.ts";

test("severities sort from info to critical", () => {
  expect((["critical", "info", "warning"] as const).toSorted(compareSeverity)).toEqual([
    "info",
    "warning",
    "critical",
  ]);
});

test("the maximum severity is the most severe one, and info for none", () => {
  expect(maxSeverity(["info", "critical", "warning"])).toBe("critical");
  expect(maxSeverity(["info", "warning"])).toBe("warning");
  expect(maxSeverity([])).toBe("info");
});
