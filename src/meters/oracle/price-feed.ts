import type { Subject } from "../../chains/activity.ts";
import type { Read, ReadResult } from "../../chains/block.ts";
import { decimalsFrom, decimalsReads } from "../balances/token.ts";
import type { TimedReading } from "../meter.ts";
import { type SolanaRound, solanaFeedRead, solanaRoundOf } from "../solana/solana-price-feed.ts";
import { asInteger, readCall, resultOf, UnreadableState } from "../state-results.ts";
import { toUnits } from "../units.ts";

const latestRound =
  "latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)";

/** The number of reads per feed of an EVM chain. */
const feedReadCount = 2;

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
function roundOf([roundResult, decimalsResult]: readonly (ReadResult | undefined)[]): Round {
  const round = resultOf(roundResult, latestRound);
  const answer = asInteger(round.answer);
  const updatedAt = asInteger(round.updatedAt);
  if (updatedAt === 0n) throw new UnreadableState("The latest round of the feed is not complete.");
  const decimals = decimalsFrom(undefined, decimalsResult);
  const price = toUnits(answer, decimals);
  return { price, answer, decimals, round_id: asInteger(round.roundId), updated_at: Number(updatedAt) };
}

type OnChain = Pick<Subject, "chain">;

/** Returns the reads of a feed: a contract with the Chainlink interface, or on Solana an account of Pyth or Switchboard. */
export function feedReadsOn({ chain }: OnChain, feed: string, previous?: TimedReading): Read[] {
  return chain.kind === "solana" ? [solanaFeedRead(feed, previous)] : feedReads(feed);
}

/** The number of reads per feed. */
export function feedReadCountOn({ chain }: OnChain): number {
  return chain.kind === "solana" ? 1 : feedReadCount;
}

/** Decodes the latest price of a feed. Throws UnreadableState if there is none. */
export function roundOn(
  { chain }: OnChain,
  results: readonly (ReadResult | undefined)[],
): Round | SolanaRound {
  return chain.kind === "solana" ? solanaRoundOf(results[0]) : roundOf(results);
}

/** Decodes the latest price of a feed that is compared or multiplied. Throws UnreadableState if it is not positive. */
export function validRoundOn(on: OnChain, results: readonly (ReadResult | undefined)[]): Round {
  return requireValid(roundOn(on, results));
}

/** Decodes the latest round of a feed whose price is compared or multiplied. Throws UnreadableState if it is not positive. */
export function validRoundOf(results: readonly (ReadResult | undefined)[]): Round {
  return requireValid(roundOf(results));
}

function requireValid(round: Round): Round {
  if (round.answer <= 0n)
    throw new UnreadableState(`The feed returned ${round.answer}, which is not a valid price.`);
  if (round.price === 0)
    throw new UnreadableState(
      `The price of the feed is zero after scaling by its ${round.decimals} decimals.`,
    );
  return round;
}
