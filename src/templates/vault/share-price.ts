import { needsFunction } from "../checks.ts";
import type { Check, Condition, ContractFacts, Variant } from "../template.ts";

/** Requires an ERC-4626 vault, or a function that returns the value of a share. */
const hasShares = needsFunction("convertToAssets(uint256)");
export const needsVault: Check = (facts, target) =>
  facts.profile?.rate ? undefined : hasShares(facts, target);

/** The value of one share, in units of the asset. */
export function sharePriceConfig(shareDecimals: number, assetDecimals: number): Record<string, unknown> {
  return {
    signature: "convertToAssets(uint256 shares) view returns (uint256)",
    args: [String(10n ** BigInt(shareDecimals))],
    decimals: assetDecimals,
  };
}

/** Most rates have 18 decimals; the rules compare only changes. */
export function rateConfig(signature: string): Record<string, unknown> {
  return { signature, decimals: 18 };
}

export function sharePriceVariants({ profile }: ContractFacts, condition: Condition): Variant[] | undefined {
  const vault = profile?.vault;
  if (!vault) return profile?.rate ? [{ config: rateConfig(profile.rate), condition }] : undefined;
  const { share_decimals, asset_decimals } = vault;
  const source = `One share has ${share_decimals} decimals, the asset ${asset_decimals}.`;
  return [{ config: sharePriceConfig(share_decimals, asset_decimals), condition, source }];
}

export function withinAnHour(operator: Condition["operator"], threshold: number): Condition {
  return { operator, threshold, aggregation: "last", window_seconds: 3600 };
}
