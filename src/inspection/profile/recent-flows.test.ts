import { describe, expect, it } from "vitest";
import { fallsIn, largestRise, type Movement, maxCountWithin } from "./recent-flows.ts";

/** Thirty small movements that cancel out, ten seconds apart. */
const usual: Movement[] = Array.from({ length: 30 }, (_, index) => ({
  time: 10 * index,
  amount: index % 2 === 0 ? 10n : -10n,
}));

describe("the recent falls of a balance", () => {
  it("are unknown with few movements", () => {
    expect(fallsIn(usual.slice(0, 5), 1_000n, 50)).toBeUndefined();
  });

  it("are the largest share that left within the span, and the number of drains", () => {
    const calm = fallsIn(usual, 1_000n, 50);
    expect(calm?.largest).toBeCloseTo(0.01, 2);
    expect(calm?.drains).toBe(0);
    const drained = fallsIn(
      [...usual, { time: 155, amount: -600n }, { time: 156, amount: 600n }],
      1_000n,
      50,
    );
    expect(drained?.largest).toBeGreaterThan(0.55);
    expect(drained?.drains).toBe(1);
  });

  it("leave out what happened while the balance was small", () => {
    const first: Movement[] = [
      { time: -20, amount: 20n },
      { time: -15, amount: -15n },
      { time: -10, amount: 995n },
    ];
    expect(fallsIn([...first, ...usual], 1_000n, 8)?.drains).toBe(0);
  });
});

describe("the largest rise of a supply", () => {
  it("leaves out how the supply began", () => {
    const mints: Movement[] = [
      { time: 0, amount: 1_000n },
      { time: 500, amount: 20n },
      { time: 510, amount: 10n },
    ];
    expect(largestRise(mints, 1_030n, { seconds: 100, movements: 40 })).toBeCloseTo(0.03, 3);
    expect(largestRise(mints, 1_030n, { seconds: 5, movements: 40 })).toBeCloseTo(0.02, 3);
    expect(largestRise(mints, 1_030n, { seconds: 100, movements: 3 })).toBeUndefined();
  });
});

describe("the busiest span", () => {
  it("is the one with the most occurrences, in any order", () => {
    expect(maxCountWithin([], 10)).toBe(0);
    expect(maxCountWithin([100, 5, 12, 14, 15, 101], 10)).toBe(4);
    expect(maxCountWithin([1, 1, 1], 0)).toBe(3);
  });
});
