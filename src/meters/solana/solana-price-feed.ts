import type { Read, ReadResult } from "../../chains/block.ts";
import { unpackAccount } from "../../chains/solana/accounts/account-state.ts";
import { accountPriceOf, priceFeedBytes, pythBytes } from "../../chains/solana/accounts/price-feeds.ts";
import type { TimedReading } from "../meter.ts";
import { UnreadableState, UnsupportedState } from "../state-results.ts";
import { toUnits } from "../units.ts";

/** The price of an oracle account, with the fields of a round of a Chainlink feed. */
export type SolanaRound = {
  price: number;
  answer: bigint;
  decimals: number;
  /** The slot of the price. */
  round_id: bigint;
  updated_at: number;
  confidence: number;
  oracle: string;
  pair: string | null;
  is_verified: boolean;
};

const maxExponent = 30;

/** Feeds of Pyth are short, so that many are read in one call once the first reading showed what a feed is. */
export function solanaFeedRead(address: string, previous: TimedReading | undefined): Read {
  const oracle = previous?.evidence?.oracle;
  const isShort = typeof oracle === "string" && oracle.startsWith("pyth");
  return { kind: "account", address, length: isShort ? pythBytes : priceFeedBytes };
}

/** Decodes the price in an account of Pyth or Switchboard. Throws UnreadableState. */
export function solanaRoundOf(result: ReadResult | undefined): SolanaRound {
  const account = unpackAccount(result);
  if (!account) {
    const reason =
      result && !result.ok ? result.problem.replace(/\.$/, "").slice(0, 200) : "there is no result";
    throw new UnreadableState(`The feed could not be read: ${reason}.`);
  }
  if (account.owner === null) throw new UnreadableState("There is no account at the address of the feed.");
  const price = accountPriceOf(account);
  if (!price || Math.abs(price.exponent) > maxExponent)
    throw new UnsupportedState("The account is not a price feed of Pyth or of Switchboard On-Demand.");
  if (price.updatedAt <= 0) throw new UnreadableState("The feed has no price yet.");
  const { oracle, exponent, updatedAt, slot, name, isVerified } = price;
  const decimals = Math.max(0, -exponent);
  const scale = (value: bigint) => toUnits(value * 10n ** BigInt(Math.max(0, exponent)), decimals);
  return {
    price: scale(price.answer),
    answer: price.answer,
    decimals,
    round_id: BigInt(slot),
    updated_at: updatedAt,
    confidence: scale(price.confidence),
    oracle,
    pair: name,
    is_verified: isVerified,
  };
}
