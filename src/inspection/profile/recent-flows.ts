import { readBlockTimes } from "../../chains/block-times.ts";
import type { ChainClient, FoundLog, PinnedBlock } from "../../chains/chain-client.ts";
import { ChainError } from "../../chains/reader.ts";

/** With fewer movements, the past says little about what is usual. */
const minMovements = 20;
const maxMovements = 2_000;

/** A change of an amount at a time. */
export type Movement = { time: number; amount: bigint };

/** The amount of a transfer; zero if the log has another layout. */
export function amountIn({ data }: Pick<FoundLog, "data">): bigint {
  return data.length >= 66 ? BigInt(data.slice(0, 66)) : 0n;
}

/** The times of few blocks are enough, unless they show that the time between blocks varies. */
const blocksRead = 5;

/** Returns a function that gives the time of the blocks of some logs. */
export async function timesOf(
  client: ChainClient,
  { block }: PinnedBlock,
  logs: readonly Pick<FoundLog, "height">[],
): Promise<(log: Pick<FoundLog, "height">) => number> {
  const heights = logs.map(({ height }) => height);
  try {
    const timeAt = await readBlockTimes(client, block, heights, blocksRead);
    return ({ height }) => timeAt(height);
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    const seconds = client.chain.block_time_ms / 1000;
    return ({ height }) => Math.floor(block.time - (block.height - height) * seconds);
  }
}

export type Falls = {
  /** The largest share that left. */
  largest: number;
  /** How often an amount fell by a share that is a drain. */
  drains: number;
  /** How many movements were falls. */
  count: number;
  /** The time of the oldest movement. */
  oldest: number;
};
const drainedShare = 0.3;

/**
 * Returns the largest share by which an amount fell within a span, from its movements and its value now; undefined if there were
 * too few. Falls of an amount that was small then are left out.
 */
export function fallsIn(movements: readonly Movement[], now: bigint, seconds: number): Falls | undefined {
  if (movements.length < minMovements || now <= 0n) return undefined;
  const levels: { time: number; level: number }[] = [];
  let level = now;
  const newest = movements.toSorted((a, b) => b.time - a.time).slice(0, maxMovements);
  for (const { time, amount } of newest) {
    levels.push({ time, level: Number(level) });
    level -= amount;
  }
  levels.reverse();
  const falls = countFalls(levels, { first: Number(level), seconds, least: Number(now) / 20 });
  return { ...falls, count: newest.filter(({ amount }) => amount < 0n).length };
}

function countFalls(
  levels: readonly { time: number; level: number }[],
  { first, seconds, least }: { first: number; seconds: number; least: number },
): Omit<Falls, "count"> {
  let [worst, from, drains, lastDrain] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  for (const [current, { time, level }] of levels.entries()) {
    while ((levels[from]?.time ?? time) < time - seconds) from += 1;
    let highest = from === 0 ? first : (levels[from - 1]?.level ?? first);
    for (let index = from; index < current; index++) highest = Math.max(highest, levels[index]?.level ?? 0);
    if (highest <= least) continue;
    const share = 1 - level / highest;
    worst = Math.max(worst, share);
    // One alert lasts as long as its window.
    if (share > drainedShare && time > lastDrain + seconds) [drains, lastDrain] = [drains + 1, time];
  }
  return { largest: worst, drains, oldest: levels[0]?.time ?? 0 };
}

/**
 * Returns the largest share by which an amount rose within a span; undefined if there were too few movements. Rises
 * of an amount that was less than half of what it is now are left out: they are how it began.
 */
export function largestRise(
  changes: readonly Movement[],
  now: bigint,
  { seconds, movements }: { seconds: number; movements: number },
): number | undefined {
  if (movements < minMovements || now <= 0n) return undefined;
  const newest = changes.toSorted((a, b) => b.time - a.time).slice(0, maxMovements);
  let [level, worst] = [now, 0];
  const after: { time: number; level: number }[] = [];
  for (const { time, amount } of newest) {
    after.push({ time, level: Number(level) });
    level -= amount;
    if (level < now / 2n) break;
    const highest = Math.max(
      ...after.filter((point) => point.time <= time + seconds).map((point) => point.level),
    );
    worst = Math.max(worst, highest / Number(level) - 1);
  }
  return worst;
}

/** Returns the largest number of times that lie within a span. */
export function maxCountWithin(times: readonly number[], seconds: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  let [max, from] = [0, 0];
  for (const [index, time] of sorted.entries()) {
    while ((sorted[from] ?? time) < time - seconds) from += 1;
    max = Math.max(max, index - from + 1);
  }
  return max;
}
