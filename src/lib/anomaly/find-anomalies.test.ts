import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scoreCount, scoreLevel, scoreStale, severityOf } from "./find-anomalies.ts";

const quiet = (minutes: number, value = 5) => Array.from({ length: minutes }, (_, n) => value + (n % 3));
const kinds = (found: { kind: string }[]) => found.map(({ kind }) => kind);
const levels = (values: number[]) => values.map((value, minute) => ({ minute, value }));

describe("the anomaly score of a counted series", () => {
  test("needs three hours of history", () => {
    expect(scoreCount([...quiet(170), 500])).toEqual([]);
    expect(kinds(scoreCount([...quiet(181), 500]))).toEqual(["spike"]);
  });

  test("reports spikes, drops and silence", () => {
    expect(scoreCount([...quiet(300), 6])).toEqual([]);
    expect(scoreCount([...quiet(300), 60])).toMatchObject([{ kind: "spike", value: 60, expected: 6 }]);
    expect(kinds(scoreCount([...quiet(300, 50), 0]))).toEqual(["drop"]);
    expect(kinds(scoreCount([...quiet(300, 1), ...Array(12).fill(0)]))).toContain("silence");
  });

  test("does not report silence for a series with rare events", () => {
    const seldom = Array.from({ length: 1000 }, (_, minute) => (minute % 40 === 0 ? 1 : 0));
    expect(scoreCount([...seldom, ...Array(30).fill(0)])).toEqual([]);
    expect(kinds(scoreCount([...seldom, ...Array(200).fill(0)]))).toEqual(["silence"]);
  });

  test("is |x - median| / (1.4826 MAD + 1)", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(100), { minLength: 181, maxLength: 400 }),
        fc.nat(100_000),
        (earlier, value) => {
          const sorted = earlier.toSorted((a, b) => a - b);
          const mid = (list: number[]) =>
            ((list[Math.floor((list.length - 1) / 2)] ?? 0) + (list[Math.floor(list.length / 2)] ?? 0)) / 2;
          const median = mid(sorted);
          const mad = mid(earlier.map((one) => Math.abs(one - median)).sort((a, b) => a - b));
          const score = Math.abs(value - median) / (1.4826 * mad + 1);
          const found = scoreCount([...earlier, value]).find(
            ({ kind }) => kind === "spike" || kind === "drop",
          );
          if (score < 4) expect(found).toBeUndefined();
          else expect(found?.score).toBeCloseTo(score, 9);
        },
      ),
    );
  });
});

describe("the anomaly score of a level series", () => {
  const wobble = Array.from({ length: 300 }, (_, n) => 100 + Math.sin(n) / 2);

  test("needs three hours of history", () => {
    expect(scoreLevel(levels([...wobble.slice(0, 100), 500]))).toEqual([]);
  });

  test("reports deviations and jumps", () => {
    expect(scoreLevel(levels([...wobble, 100.4]))).toEqual([]);
    expect(kinds(scoreLevel(levels([...wobble, 130])))).toEqual(["deviation", "jump"]);
    const slow = Array.from({ length: 60 }, (_, n) => 100 + n / 2);
    expect(kinds(scoreLevel(levels([...wobble, ...slow])))).toEqual(["deviation"]);
  });

  test("reports a frozen value that used to change", () => {
    expect(kinds(scoreLevel(levels([...wobble, ...Array(40).fill(100.1)])))).toEqual(["frozen"]);
    expect(scoreLevel(levels(Array(400).fill(7)))).toEqual([]);
  });

  test("ignores rounding differences", () => {
    expect(scoreLevel(levels([...Array(300).fill(100), 100.0001]))).toEqual([]);
  });

  test("is finite for any input", () => {
    const number = fc.double({ noNaN: true, min: -1e12, max: 1e12 });
    fc.assert(
      fc.property(fc.array(number, { minLength: 200, maxLength: 300 }), (values) => {
        for (const { score, expected } of scoreLevel(levels(values)))
          expect([Number.isFinite(score), Number.isFinite(expected)]).toEqual([true, true]);
      }),
    );
  });
});

test("a feed is stale when it is older than its heartbeat allows", () => {
  expect(scoreStale(3600, 3600)).toEqual([]);
  expect(scoreStale(3601, 3600)).toMatchObject([{ kind: "stale", value: 3601, expected: 3600 }]);
});

test("severity follows the score", () => {
  expect([4, 6, 11.9, 12].map(severityOf)).toEqual(["info", "warning", "warning", "critical"]);
});
