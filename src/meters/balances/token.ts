import type { Read, ReadResult } from "../../chains/block.ts";
import { maxDecimals } from "../config-fields.ts";
import { integerResult, readCall, UnreadableState } from "../state-results.ts";

export const balanceOf = "balanceOf(address) view returns (uint256)";
export const totalSupply = "totalSupply() view returns (uint256)";
/** Declared as uint256, so that an absurd value is detected instead of truncated to a plausible one. */
const decimalsFunction = "decimals() view returns (uint256)";

/** Returns the read of the decimals of a token or feed; none if they are configured. */
export function decimalsReads(address: string, decimals: number | undefined): Read[] {
  return decimals === undefined ? [readCall(address, decimalsFunction)] : [];
}

/** Returns the configured decimals, else those that were read. Throws UnreadableState. */
export function decimalsFrom(decimals: number | undefined, result: ReadResult | undefined): number {
  if (decimals !== undefined) return decimals;
  const read = integerResult(result, decimalsFunction);
  if (read > maxDecimals)
    throw new UnreadableState(
      `decimals() returned ${read}, which is not plausible; set decimals in the target config.`,
    );
  return Number(read);
}
