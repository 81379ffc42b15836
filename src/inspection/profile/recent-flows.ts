import type { ChainClient, FoundLog, PinnedBlock } from "../../chains/chain-client.ts";
import { ChainError } from "../../chains/reader.ts";

/** With fewer movements, the past says little about what is usual. */
const minMovements = 20;
const maxMovements = 2_000;

/** A change of an amount at a height. */
export type Movement = { height: number; amount: bigint };

/** The amount of a transfer; zero if the log has another layout. */
export function amountIn({ data }: Pick<FoundLog, "data">): bigint {
  return data.length >= 66 ? BigInt(data.slice(0, 66)) : 0n;
}

/** Estimates the seconds per block since the oldest of some logs. */
export async function secondsPerBlock(
  client: ChainClient,
  { block }: PinnedBlock,
  oldest: number,
): Promise<number> {
  const usual = client.chain.block_time_ms / 1000;
  if (oldest >= block.height) return usual;
  try {
    const [first] = await client.transactions(oldest, oldest);
    return first ? Math.max(0.05, (block.time - first.time) / (block.height - oldest)) : usual;
  } catch (error) {
    if (error instanceof ChainError) return usual;
    throw error;
  }
}

/** The largest fall of an amount, how often it fell by a share that is a drain, and the height of the oldest movement. */
export type Falls = { largest: number; drains: number; oldest: number };
const drainedShare = 0.3;

/**
 * Returns the largest share by which an amount fell within a number of blocks, from its movements and its value now; undefined
 * if there were too few. Falls of an amount that was small then are left out.
 */
export function fallsIn(movements: readonly Movement[], now: bigint, blocks: number): Falls | undefined {
  if (movements.length < minMovements || now <= 0n) return undefined;
  const levels: { height: number; level: number }[] = [];
  let level = now;
  const newest = movements.toSorted((a, b) => b.height - a.height).slice(0, maxMovements);
  for (const { height, amount } of newest) {
    levels.push({ height, level: Number(level) });
    level -= amount;
  }
  levels.reverse();
  return countFalls(levels, Number(level), blocks, Number(now) / 20);
}

function countFalls(
  levels: readonly { height: number; level: number }[],
  first: number,
  blocks: number,
  least: number,
): Falls {
  let [worst, from, drains, lastDrain] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  for (const [at, { height, level }] of levels.entries()) {
    while ((levels[from]?.height ?? height) < height - blocks) from += 1;
    let highest = from === 0 ? first : (levels[from - 1]?.level ?? first);
    for (let one = from; one < at; one++) highest = Math.max(highest, levels[one]?.level ?? 0);
    if (highest <= least) continue;
    const share = 1 - level / highest;
    worst = Math.max(worst, share);
    // One alert lasts as long as its window.
    if (share > drainedShare && height > lastDrain + blocks) [drains, lastDrain] = [drains + 1, height];
  }
  return { largest: worst, drains, oldest: levels[0]?.height ?? 0 };
}

/**
 * Returns the largest share by which an amount rose within a number of blocks; undefined if there were too few movements. Rises
 * of an amount that was less than half of what it is now are left out: they are how it began.
 */
export function largestRise(
  changes: readonly Movement[],
  now: bigint,
  { blocks, movements }: { blocks: number; movements: number },
): number | undefined {
  if (movements < minMovements || now <= 0n) return undefined;
  const newest = changes.toSorted((a, b) => b.height - a.height).slice(0, maxMovements);
  let [level, worst] = [now, 0];
  const after: { height: number; level: number }[] = [];
  for (const { height, amount } of newest) {
    after.push({ height, level: Number(level) });
    level -= amount;
    if (level < now / 2n) break;
    const highest = Math.max(...after.filter((one) => one.height <= height + blocks).map((one) => one.level));
    worst = Math.max(worst, highest / Number(level) - 1);
  }
  return worst;
}

/** Returns the largest number of heights that lie within a number of blocks. */
export function maxCountWithin(heights: readonly number[], blocks: number): number {
  const sorted = heights.toSorted((a, b) => a - b);
  let [max, from] = [0, 0];
  for (const [at, height] of sorted.entries()) {
    while ((sorted[from] ?? height) < height - blocks) from += 1;
    max = Math.max(max, at - from + 1);
  }
  return max;
}
