import type { Read, ReadResult } from "../../chains/block.ts";
import { decimalsFrom, decimalsReads } from "../balances/token.ts";
import { asInteger, readCall, resultOf, UnreadableState } from "../state-results.ts";
import { toUnits } from "../units.ts";

const latestRound =
  "latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)";

/** The number of reads per feed. */
export const feedReadCount = 2;

/** The latest round of a price feed. */
export type Round = { price: number; answer: bigint; decimals: number; round_id: bigint; updated_at: number };

/** Returns the reads of a feed with the Chainlink interface. */
export function feedReads(feed: string): Read[] {
  return [readCall(feed, latestRound), ...decimalsReads(feed, undefined)];
}

/**
 * Decodes the latest round. A price of zero or less is a reading like any other, because a feed that returns one must raise an
 * alert. Throws UnreadableState if there is no round.
 */
export function roundOf([roundResult, decimalsResult]: readonly (ReadResult | undefined)[]): Round {
  const round = resultOf(roundResult, latestRound);
  const answer = asInteger(round.answer);
  const updatedAt = asInteger(round.updatedAt);
  if (updatedAt === 0n) throw new UnreadableState("The latest round of the feed is not complete.");
  const decimals = decimalsFrom(undefined, decimalsResult);
  const price = toUnits(answer, decimals);
  return { price, answer, decimals, round_id: asInteger(round.roundId), updated_at: Number(updatedAt) };
}

/** Decodes the latest round of a feed whose price is compared or multiplied. Throws UnreadableState if it is not positive. */
export function validRoundOf(results: readonly (ReadResult | undefined)[]): Round {
  const round = roundOf(results);
  if (round.answer <= 0n)
    throw new UnreadableState(`The feed returned ${round.answer}, which is not a valid price.`);
  if (round.price === 0)
    throw new UnreadableState(
      `The price of the feed is zero after scaling by its ${round.decimals} decimals.`,
    );
  return round;
}
