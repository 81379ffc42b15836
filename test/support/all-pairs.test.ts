import fc from "fast-check";
import { expect, test } from "vitest";
import { allPairs } from "./all-pairs.ts";

const valuesOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}${index}`);

test("the chosen cases contain every pair of values", () => {
  const sizes = fc.tuple(
    fc.integer({ min: 1, max: 4 }),
    fc.integer({ min: 1, max: 4 }),
    fc.integer({ min: 1, max: 4 }),
  );
  fc.assert(
    fc.property(sizes, ([a, b, c]) => {
      const factors = { a: valuesOf("a", a), b: valuesOf("b", b), c: valuesOf("c", c) };
      const rows = allPairs<{ a: string; b: string; c: string }>(factors);
      for (const [first, second] of [
        ["a", "b"],
        ["a", "c"],
        ["b", "c"],
      ] as const) {
        const pairs = new Set(rows.map((row) => `${row[first]} ${row[second]}`));
        expect(pairs.size).toBe(factors[first].length * factors[second].length);
      }
      expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length);
    }),
    { numRuns: 30 },
  );
});

test("there are far fewer cases than combinations", () => {
  const four = { a: valuesOf("a", 4), b: valuesOf("b", 3), c: valuesOf("c", 2), d: valuesOf("d", 2) };
  expect(allPairs<{ a: string; b: string; c: string; d: string }>(four).length).toBeLessThanOrEqual(14);
});

test("impossible cases are left out, and pairs that only they have are not looked for", () => {
  const rows = allPairs<{ place: string; access: string }>(
    { place: ["own", "foreign"], access: ["open", "restricted"] },
    ({ place, access }) => place === "own" || access === "open",
  );
  expect(rows).toEqual([
    { place: "own", access: "open" },
    { place: "own", access: "restricted" },
    { place: "foreign", access: "open" },
  ]);
});
