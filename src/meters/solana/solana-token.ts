import type { ReadResult } from "../../chains/block.ts";
import { type TokenAmount, unpackAmount } from "../../chains/solana/accounts/account-state.ts";
import { UnreadableState } from "../state-results.ts";

/** Returns a token amount with the configured decimals, else those of the chain. Throws UnreadableState. */
export function amountOf(
  result: ReadResult | undefined,
  what: string,
  configuredDecimals: number | undefined,
): TokenAmount {
  const amount = unpackAmount(result);
  if (amount) return { ...amount, decimals: configuredDecimals ?? amount.decimals };
  const reason =
    result && !result.ok ? result.problem.replace(/\.$/, "").slice(0, 200) : "there is no result";
  throw new UnreadableState(`${what} could not be read: ${reason || "there is no result"}.`);
}
