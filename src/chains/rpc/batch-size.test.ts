import { expect, it } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { makeBatchSize } from "./batch-size.ts";

const calls = Array.from({ length: 12 }, (_, at) => ({ method: "eth_getBlockByNumber", params: [at] }));
const sizes = (batches: { split: ReturnType<typeof makeBatchSize>["split"] }, maxCalls: number) =>
  batches.split(calls, maxCalls).map(({ length }) => length);

it("a request contains at most as many calls as the endpoint allows per second", () => {
  const batches = makeBatchSize(systemClock);
  expect(sizes(batches, Number.POSITIVE_INFINITY)).toEqual([12]);
  expect(sizes(batches, 5.9)).toEqual([5, 5, 2]);
  expect(sizes(batches, 0.5)).toEqual(Array(12).fill(1));
  expect(batches.shrink(12)).toBe(3);
  expect(sizes(batches, 5)).toEqual([3, 3, 3, 3]);
});
