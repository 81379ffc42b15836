import type { Read, ReadResult } from "../../chains/block.ts";
import { decimalsFrom, decimalsReads } from "../balances/token.ts";
import { asInteger, readCall, resultOf, UnreadableState } from "../state-results.ts";
import { toUnits } from "../units.ts";

const latestRound =
  "latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)";

/** How many reads a feed takes. */
export const feedReadCount = 2;

/** The newest answer of a price feed. */
export type Round = { price: number; answer: bigint; decimals: number; round_id: bigint; updated_at: number };

/** Asks a feed that answers like Chainlink's, which most others imitate. */
export function feedReads(feed: string): Read[] {
  return [readCall(feed, latestRound), ...decimalsReads(feed, undefined)];
}

/** What the feed answered. Throws an Unreadable when that is no price. */
export function roundOf([roundResult, decimalsResult]: readonly (ReadResult | undefined)[]): Round {
  const round = resultOf(roundResult, latestRound);
  const answer = asInteger(round.answer);
  const updatedAt = asInteger(round.updatedAt);
  if (updatedAt === 0n) throw new UnreadableState("The feed's newest round is not complete.");
  if (answer <= 0n) throw new UnreadableState(`The feed answers ${answer}, which is no price.`);
  const decimals = decimalsFrom(undefined, decimalsResult);
  const price = toUnits(answer, decimals);
  if (price === 0) throw new UnreadableState(`The feed's ${decimals} decimals leave nothing of its answer.`);
  return { price, answer, decimals, round_id: asInteger(round.roundId), updated_at: Number(updatedAt) };
}
