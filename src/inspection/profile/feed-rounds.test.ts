import { expect, test } from "vitest";
import type { Read } from "../../chains/block.ts";
import type { PinnedBlock } from "../../chains/chain-client.ts";
import { pad, toHex } from "../../chains/evm/values/hex.ts";
import { readIntervals } from "./feed-rounds.ts";

const day = 86_400;
const newest = 900n;

/** A feed that was updated at these times, newest first, and the number of rounds that were read. */
function feedOf(times: readonly number[]) {
  let reads = 0;
  const pinned: Pick<PinnedBlock, "read"> = {
    async read(calls: readonly Read[]) {
      reads += calls.length;
      return calls.map((call) => {
        if (call.kind !== "call") throw new Error("Only calls are expected.");
        const round = BigInt(`0x${call.data.slice(10)}`);
        const time = times[Number(newest - round)];
        if (time === undefined) return { ok: false, code: "reverted", problem: "There is no such round." };
        const words = [round, 100n, BigInt(time), BigInt(time), round];
        return {
          ok: true,
          data: `0x${words.map((word) => pad(toHex(word), { size: 32 }).slice(2)).join("")}`,
        };
      });
    },
  };
  return { pinned: pinned as PinnedBlock, reads: () => reads };
}

const start = Date.UTC(2026, 0, 7) / 1000;
const round = { round: newest, updated: start, answer: 100n };

test("a gap between two of hundreds of updates is found", async () => {
  // Once a minute, with a night of 17 hours after the 390 updates of a day.
  const times = Array.from(
    { length: 899 },
    (_, index) => start - 60 * index - Math.floor((index + 150) / 390) * (day - 390 * 60),
  );
  const { pinned, reads } = feedOf(times);
  const intervals = await readIntervals(pinned, "0x0000000000000000000000000000000000000001", round);
  const longest = Math.max(...intervals.map(({ from, to }) => to - from));
  expect(longest).toBe(day - 390 * 60 + 60);
  expect(reads()).toBeLessThan(100);
});

test("a regular feed is not searched for gaps", async () => {
  const { pinned, reads } = feedOf(Array.from({ length: 899 }, (_, index) => start - 3_600 * index));
  const intervals = await readIntervals(pinned, "0x0000000000000000000000000000000000000001", round);
  expect(new Set(intervals.map(({ from, to }) => to - from))).toEqual(new Set([3_600]));
  expect(reads()).toBe(25 + 4 * 7);
});

test("a young feed has the intervals between the rounds that exist", async () => {
  const { pinned } = feedOf(Array.from({ length: 8 }, (_, index) => start - 3_600 * index));
  const intervals = await readIntervals(pinned, "0x0000000000000000000000000000000000000001", round);
  expect(intervals).toHaveLength(7);
});
