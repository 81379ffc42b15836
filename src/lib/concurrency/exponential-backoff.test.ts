import { expect, test } from "vitest";
import { backoffAfter } from "./exponential-backoff.ts";

test("the wait after failures in a row doubles up to its maximum, however many there are", () => {
  const backoff = { first: 5, max: 30 };
  expect([1, 2, 3, 4, 100_000].map((failures) => backoffAfter(failures, backoff))).toEqual([
    5, 10, 20, 30, 30,
  ]);
});

test("a backoff without a wait stays without one after any number of failures", () => {
  expect(backoffAfter(100_000, { first: 0, max: 0 })).toBe(0);
});
