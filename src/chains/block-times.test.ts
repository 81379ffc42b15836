import fc from "fast-check";
import { expect, test } from "vitest";
import { maxReads, readBlockTimes } from "./block-times.ts";

const chain = { block_time_ms: 12_000 } as Parameters<typeof readBlockTimes>[0]["chain"];

/** A chain whose blocks have these times, by height, and the heights that were read of it. */
function makeSource(times: readonly number[]) {
  const read: number[] = [];
  const blockTimes = async (heights: readonly number[]) => {
    read.push(...heights);
    return heights.map((height) => times[height]);
  };
  return {
    source: { chain, blockTimes },
    read,
    newest: { height: times.length - 1, time: times.at(-1) ?? 0 },
  };
}

function timesOf(gaps: readonly number[]): number[] {
  const times = [1_000];
  for (const gap of gaps) times.push((times.at(-1) ?? 0) + gap);
  return times;
}

test("the time of each block of a steady chain is exact, after a few reads", async () => {
  const times = timesOf(Array(500).fill(12));
  const { source, read, newest } = makeSource(times);
  const timeAt = await readBlockTimes(source, newest, times.keys());
  expect(times.map((_, height) => timeAt(height))).toEqual(times);
  expect(read.length).toBeLessThanOrEqual(24);
});

test("a pause of a chain is found, however many steady blocks are before and after it", async () => {
  const times = timesOf([...Array(300).fill(2), 86_400, ...Array(300).fill(2)]);
  const { source, newest } = makeSource(times);
  const timeAt = await readBlockTimes(source, newest, times.keys());
  expect(timeAt(290)).toBe(times[290]);
  expect(timeAt(310)).toBe(times[310]);
});

test("no height is read twice, and no more than the maximum, however uneven the blocks are", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 600 }),
      fc.integer({ min: 1, max: 24 }),
      async (gaps, firstReads) => {
        const times = timesOf(gaps);
        const { source, read, newest } = makeSource(times);
        const timeAt = await readBlockTimes(source, newest, times.keys(), firstReads);
        expect(read.length).toBeLessThanOrEqual(maxReads);
        expect(new Set(read).size).toBe(read.length);
        for (const height of read) expect(timeAt(height)).toBe(times[height]);
      },
    ),
  ));
