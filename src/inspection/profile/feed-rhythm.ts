import type { PinnedBlock } from "../../chains/chain-client.ts";
import { toUnits } from "../../meters/units.ts";
import type { ProbeResults } from "../classify/probes.ts";
import { readIntervals, readNewestRound } from "./feed-rounds.ts";
import { heartbeatOf, latenessOf, minIntervals } from "./heartbeat.ts";
import type { Profile } from "./profile.ts";

/** Learns the heartbeat of a price feed from its own rounds; null if it has too few. */
export async function learnFeedRhythm(
  pinned: PinnedBlock,
  feed: string,
  probes: ProbeResults,
): Promise<Profile["feed"]> {
  const newest = await readNewestRound(pinned, feed);
  const intervals = newest ? await readIntervals(pinned, feed, newest) : [];
  if (!newest || intervals.length < minIntervals) return null;
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

function priceOf(answer: bigint, decimals: bigint | undefined): number | undefined {
  return decimals !== undefined && decimals <= 77n ? toUnits(answer, Number(decimals)) : undefined;
}
