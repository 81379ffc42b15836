import type { PinnedBlock } from "../../chains/chain-client.ts";
import { readCall, resultOf, UnreadableState } from "../../meters/state-results.ts";
import type { Interval } from "./heartbeat.ts";

const latestRound =
  "latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)";
const roundAt =
  "getRoundData(uint80) view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)";

export type Round = { round: bigint; updated: number; answer: bigint };

/** Reads the newest round of a feed; undefined if it has none. */
export async function readNewestRound(pinned: PinnedBlock, feed: string): Promise<Round | undefined> {
  const [latest] = await pinned.read([readCall(feed, latestRound)]);
  return roundOf(() => resultOf(latest, latestRound));
}

/** The newest rounds, and short runs further back: in a busy market, no recent update waited for the heartbeat. */
const newestRounds = 24;
const [olderRuns, roundsPerRun] = [[40, 100, 250, 600], 6];
/** Round ids of a proxy have the phase in their upper bits. */
const roundsPerPhase = 1n << 64n;
/** How often rounds are read to find a gap between those that were read before, and how many each time. */
const [maxSearches, roundsPerSearch] = [5, 7];

/** Reads when a feed was updated: the intervals between rounds, among them the longest one of the last hundreds. */
export async function readIntervals(pinned: PinnedBlock, feed: string, newest: Round): Promise<Interval[]> {
  const available = Number(newest.round % roundsPerPhase);
  const runs = [
    ...Array.from({ length: newestRounds + 1 }, (_, index) => index),
    ...olderRuns.flatMap((start) => Array.from({ length: roundsPerRun + 1 }, (_, index) => start + index)),
  ].filter((distance) => distance < available);
  const times = new Map<number, number>();
  let wanted = runs;
  for (let search = 0; wanted.length > 0 && search <= maxSearches; search++) {
    for (const [distance, time] of await readTimes(pinned, feed, newest.round, wanted))
      times.set(distance, time);
    wanted = whereGapMayHide(times);
  }
  return stretchesOf(times).flatMap(({ count, interval }) => (count === 1 ? [interval] : []));
}

/** Rounds that follow each other among those that were read, with the number of updates between them. */
type Stretch = { first: number; count: number; interval: Interval };

function stretchesOf(times: ReadonlyMap<number, number>): Stretch[] {
  const sorted = [...times].sort(([a], [b]) => a - b);
  return sorted.slice(1).flatMap(([distance, from], index) => {
    const [first, to] = sorted[index] as [number, number];
    return to > from ? [{ first, count: distance - first, interval: { from, to } }] : [];
  });
}

/**
 * Returns rounds to read within the stretch that took the longest for its number of updates, if it may have a longer interval than
 * those that are known: that of a market that closes is between two of hundreds of updates.
 */
function whereGapMayHide(times: ReadonlyMap<number, number>): number[] {
  const stretches = stretchesOf(times);
  const stored = stretches
    .filter(({ count }) => count === 1)
    .map(({ interval: { from, to } }) => to - from)
    .sort((a, b) => a - b);
  const [median = 0, longest = 0] = [stored[Math.floor(stored.length / 2)], stored.at(-1)];
  const excessOf = ({ count, interval: { from, to } }: Stretch) => to - from - (count - 1) * median;
  const [worst] = stretches.filter(({ count }) => count > 1).sort((a, b) => excessOf(b) - excessOf(a));
  if (!worst || excessOf(worst) <= 1.2 * longest) return [];
  const step = Math.max(1, worst.count / (roundsPerSearch + 1));
  const inside = Array.from(
    { length: roundsPerSearch },
    (_, index) => worst.first + Math.round((index + 1) * step),
  );
  return inside.filter((distance) => distance < worst.first + worst.count);
}

/** Reads the update times of rounds, by their distance from the newest. */
async function readTimes(pinned: PinnedBlock, feed: string, newest: bigint, distances: readonly number[]) {
  const results = await pinned.read(distances.map((at) => readCall(feed, roundAt, [newest - BigInt(at)])));
  return distances.flatMap((at, index) => {
    const round = roundOf(() => resultOf(results[index], roundAt));
    return round && round.updated > 0 ? [[at, round.updated] as const] : [];
  });
}

function roundOf(read: () => ReturnType<typeof resultOf>): Round | undefined {
  try {
    const { roundId, updatedAt, answer } = read();
    if (typeof roundId !== "bigint" || typeof updatedAt !== "bigint" || typeof answer !== "bigint")
      return undefined;
    return { round: roundId, updated: Number(updatedAt), answer };
  } catch (error) {
    if (error instanceof UnreadableState) return undefined;
    throw error;
  }
}
