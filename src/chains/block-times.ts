import { medianOf } from "../lib/anomaly/median.ts";
import type { ChainClient } from "./chain-client.ts";
import type { BlockRef } from "./reader.ts";

/** The number of blocks whose times are read at first; the times of the others are estimated from them. */
const defaultFirstReads = 24;
/** The maximum of blocks that are read in all; more than the first ones only where the time between blocks varies. */
export const maxReads = 128;

type Point = Pick<BlockRef, "height" | "time">;
type TimeSource = Pick<ChainClient, "chain" | "blockTimes">;

/** Returns a function that gives the time of any of the blocks: as read, or between the two nearest that were read. */
export async function readBlockTimes(
  client: TimeSource,
  newest: Point,
  heights: Iterable<number>,
  firstReads = defaultFirstReads,
): Promise<(height: number) => number> {
  const sorted = [...new Set(heights)].filter((height) => height < newest.height).sort((a, b) => a - b);
  let points: Point[] = [newest];
  let wanted = spread(sorted, firstReads);
  for (let left = maxReads; wanted.length > 0; ) {
    const found = await readTimes(client, wanted);
    points = [...points, ...found].sort((a, b) => a.height - b.height);
    if (found.length < wanted.length) break;
    left -= wanted.length;
    wanted = spread(heightsToRefine(points, sorted), left);
  }
  const blockSeconds = client.chain.block_time_ms / 1000;
  return (height) => timeAt(points, height, blockSeconds);
}

async function readTimes(client: TimeSource, heights: readonly number[]): Promise<Point[]> {
  const times = await client.blockTimes(heights);
  return heights.flatMap((height, index) => {
    const time = times[index];
    return time === undefined ? [] : [{ height, time }];
  });
}

/** Returns at most `max` of the items, evenly spaced, the first among them. */
function spread(items: readonly number[], max: number): number[] {
  if (items.length <= max) return [...items];
  const step = items.length / max;
  return Array.from({ length: max }, (_, index) => items[Math.floor(index * step)] as number);
}

/** Returns a height in the middle of each gap if the blocks in some gaps are much further apart than in others. */
function heightsToRefine(points: readonly Point[], sorted: readonly number[]): number[] {
  const gaps = points.slice(1).map((to, index) => ({ from: points[index] as Point, to }));
  const paces = gaps.map(paceOf);
  const median = medianOf(paces);
  const isEven = paces.every((pace) => pace <= 2 * median && pace >= median / 2);
  if (isEven) return [];
  return gaps.flatMap(({ from, to }) => {
    const inside = sorted.slice(firstAbove(sorted, from.height), firstAbove(sorted, to.height - 1));
    return inside[Math.floor(inside.length / 2)] ?? [];
  });
}

function paceOf({ from, to }: { from: Point; to: Point }): number {
  return (to.time - from.time) / (to.height - from.height);
}

/** Returns the index of the first number above a limit in an ascending list. */
function firstAbove(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Blocks outside the known ones are estimated with the block time of the chain. */
function timeAt(points: readonly Point[], height: number, blockSeconds: number): number {
  const index = points.findIndex((point) => point.height >= height);
  const [before, after] = [points[index - 1], points[index] ?? points.at(-1)];
  if (!after) throw new RangeError("No block has a known time.");
  if (!before) return Math.floor(after.time - (after.height - height) * blockSeconds);
  const share = (height - before.height) / (after.height - before.height);
  return Math.floor(before.time + share * (after.time - before.time));
}
