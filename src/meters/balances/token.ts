import type { Read, ReadResult } from "../../chains/block.ts";
import { maxDecimals } from "../config-fields.ts";
import { integerResult, readCall, UnreadableState } from "../state-results.ts";

export const balanceOf = "balanceOf(address) view returns (uint256)";
export const totalSupply = "totalSupply() view returns (uint256)";
/** As wide as a word, so that an absurd answer is seen and not cut down to a plausible one. */
const decimalsFunction = "decimals() view returns (uint256)";

/** Asks a token or a feed for its decimals unless somebody said them. */
export function decimalsReads(address: string, decimals: number | undefined): Read[] {
  return decimals === undefined ? [readCall(address, decimalsFunction)] : [];
}

/** The decimals that somebody said, or else those that were read. Throws an Unreadable. */
export function decimalsFrom(decimals: number | undefined, result: ReadResult | undefined): number {
  if (decimals !== undefined) return decimals;
  const read = integerResult(result, decimalsFunction);
  if (read > maxDecimals) throw new UnreadableState(`decimals() gives ${read}; set decimals in the target.`);
  return Number(read);
}
