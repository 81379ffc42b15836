import type { PinnedBlock } from "../../chains/chain-client.ts";
import { readCall, resultOf, UnreadableState } from "../../meters/state-results.ts";
import { toUnits } from "../../meters/units.ts";
import type { ProbeResults } from "../classify/probes.ts";
import type { Profile } from "./profile.ts";

const latestRound =
  "latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)";
const roundAt =
  "getRoundData(uint80) view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)";

/** The newest rounds, and pairs of rounds further back: in a busy market, no recent update waited for the heartbeat. */
const newestRounds = 24;
const olderPairs = [40, 60, 90, 130, 180, 240, 320, 420, 540, 700];
const minIntervals = 5;
/** Round ids of a proxy have the phase in their upper bits. */
const roundsPerPhase = 1n << 64n;
/** The heartbeats that feeds are configured with, in seconds. */
const usualHeartbeats = [
  60, 300, 600, 900, 1200, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400, 172_800, 604_800,
];
/** Without a regular rhythm, the updates may follow the price, and the heartbeat may be longer than all of them. */
const minIrregularHeartbeat = 3600;

/** Learns the heartbeat of a price feed from its own rounds; null if it has too few. */
export async function learnFeedRhythm(
  pinned: PinnedBlock,
  feed: string,
  probes: ProbeResults,
): Promise<Profile["feed"]> {
  const [latest] = await pinned.read([readCall(feed, latestRound)]);
  const newest = timeOf(() => resultOf(latest, latestRound));
  if (!newest) return null;
  const inPhase = newest.round % roundsPerPhase;
  const pairs = [...Array.from({ length: newestRounds }, (_, at) => at), ...olderPairs].filter(
    (at) => BigInt(at) + 2n <= inPhase,
  );
  const rounds = await readRounds(pinned, feed, newest.round, [
    ...new Set(pairs.flatMap((at) => [at, at + 1])),
  ]);
  const intervals = pairs.flatMap((at) => {
    const [later, earlier] = [rounds.get(at), rounds.get(at + 1)];
    return later && earlier && later > earlier ? [later - earlier] : [];
  });
  if (intervals.length < minIntervals) return null;
  const heartbeat_seconds = heartbeatOf(intervals);
  const late_seconds = latenessOf(intervals, heartbeat_seconds);
  const price = priceOf(newest.answer, probes.integer("decimals"));
  const aggregator = probes.address("aggregator");
  return {
    heartbeat_seconds,
    rounds: intervals.length + 1,
    ...(late_seconds !== undefined && { late_seconds }),
    ...(price !== undefined && { price }),
    ...(aggregator && { aggregator }),
  };
}

/** How much later than the heartbeat updates came at most, if enough of them waited for it. */
function latenessOf(intervals: readonly number[], heartbeat: number): number | undefined {
  const late = intervals
    .filter((one) => one >= heartbeat * 0.98 && keepsTo(one, heartbeat))
    .map((one) => one - heartbeat);
  return late.length >= minIntervals ? Math.max(0, ...late) : undefined;
}

function priceOf(answer: bigint, decimals: bigint | undefined): number | undefined {
  return decimals !== undefined && decimals <= 77n ? toUnits(answer, Number(decimals)) : undefined;
}

/** Returns the smallest usual heartbeat that all intervals keep to; one outage among many regular updates is left out. */
export function heartbeatOf(intervals: readonly number[]): number {
  const all = intervals.toSorted((a, b) => a - b);
  const sorted = isOutage(all) ? all.slice(0, -1) : all;
  const [median = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  const isRegular = longest <= 1.2 * median;
  const least = isRegular ? longest : Math.max(longest, minIrregularHeartbeat);
  return usualHeartbeats.find((one) => keepsTo(least, one)) ?? Math.ceil(longest);
}

/** True if the longest interval alone exceeds a heartbeat that several others waited for. */
function isOutage(sorted: readonly number[]): boolean {
  const [second = 0, longest = 0] = sorted.slice(-2);
  const heartbeat = usualHeartbeats.find((one) => keepsTo(second, one));
  if (!heartbeat || keepsTo(longest, heartbeat)) return false;
  return sorted.filter((one) => one >= heartbeat * 0.97 && keepsTo(one, heartbeat)).length >= minIntervals;
}

/** An update is due at the heartbeat and included some blocks later. */
function keepsTo(interval: number, heartbeat: number): boolean {
  return interval <= heartbeat * 1.05 + 30;
}

/** Reads the update times of rounds, by their distance from the newest. */
async function readRounds(pinned: PinnedBlock, feed: string, newest: bigint, distances: readonly number[]) {
  const results = await pinned.read(distances.map((at) => readCall(feed, roundAt, [newest - BigInt(at)])));
  return new Map(
    distances.flatMap((at, index) => {
      const found = timeOf(() => resultOf(results[index], roundAt));
      return found && found.updated > 0 ? [[at, found.updated] as const] : [];
    }),
  );
}

type RoundTime = { round: bigint; updated: number; answer: bigint };

function timeOf(read: () => ReturnType<typeof resultOf>): RoundTime | undefined {
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
