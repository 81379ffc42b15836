import type { ReadResult } from "../../chains/block.ts";
import { type TokenAmount, unpackAmount } from "../../chains/solana/accounts/account-state.ts";
import { UnreadableState } from "../state-results.ts";

/** An amount of a token that was read; the chain knows the decimals, unless somebody said others. Throws an Unreadable. */
export function amountOf(
  result: ReadResult | undefined,
  what: string,
  configuredDecimals: number | undefined,
): TokenAmount {
  const found = unpackAmount(result);
  if (found) return { ...found, decimals: configuredDecimals ?? found.decimals };
  const reason =
    result && !result.ok ? result.problem.replace(/\.$/, "").slice(0, 200) : "there is no answer";
  throw new UnreadableState(`${what} could not be read: ${reason || "there is no answer"}.`);
}
