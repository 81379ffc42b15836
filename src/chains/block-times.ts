import type { ChainClient } from "./chain-client.ts";
import type { BlockRef } from "./reader.ts";

/** The number of blocks whose times are read at first; those of the others are estimated from them. */
const usuallyRead = 24;
/** Further ones are read where the time between blocks varies, such as on a development chain. */
const maxRead = 200;

type Point = Pick<BlockRef, "height" | "time">;
type TimeSource = Pick<ChainClient, "chain" | "blockTimes">;

/** Returns a function that gives the time of any of the blocks: as read, or between the two nearest that were read. */
export async function readBlockTimes(
  client: TimeSource,
  newest: Point,
  heights: Iterable<number>,
  firstRead = usuallyRead,
): Promise<(height: number) => number> {
  const sorted = [...new Set(heights)].filter((height) => height < newest.height).sort((a, b) => a - b);
  let points: Point[] = [newest];
  let wanted = spread(sorted, firstRead);
  for (let read = 0; wanted.length > 0 && read < maxRead; read += wanted.length) {
    const found = await readTimes(client, wanted.slice(0, maxRead - read));
    points = [...points, ...found].sort((a, b) => a.height - b.height);
    if (found.length < wanted.length) break;
    wanted = whereUneven(points, sorted);
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

/** Returns at most so many of the items, the first and the last among them. */
function spread(items: readonly number[], max: number): number[] {
  if (items.length <= max) return [...items];
  const step = (items.length - 1) / (max - 1);
  return Array.from({ length: max }, (_, index) => items[Math.round(index * step)] as number);
}

/** Returns a height in the middle of each stretch if the blocks of some are much further apart than those of others. */
function whereUneven(points: readonly Point[], sorted: readonly number[]): number[] {
  const stretches = points.slice(1).map((to, index) => ({ from: points[index] as Point, to }));
  const paces = stretches.map(paceOf).sort((a, b) => a - b);
  const usual = paces[Math.floor(paces.length / 2)] ?? 0;
  const isEven = paces.every((pace) => pace <= 2 * usual && pace >= usual / 2);
  if (isEven) return [];
  return stretches.flatMap(({ from, to }) => {
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

/** Blocks before the first known one are estimated from the usual time between two. */
function timeAt(points: readonly Point[], height: number, blockSeconds: number): number {
  const at = points.findIndex((point) => point.height >= height);
  const [before, after] = [points[at - 1], points[at] ?? points.at(-1)];
  if (!after) throw new RangeError("No block has a known time.");
  if (!before) return Math.floor(after.time - (after.height - height) * blockSeconds);
  const share = (height - before.height) / (after.height - before.height);
  return Math.floor(before.time + share * (after.time - before.time));
}
