import type { Asset } from "../../inspection/profile/profile.ts";
import { needsAssets } from "../checks.ts";
import { type Condition, type ContractFacts, defineTemplate, type Variant } from "../template.ts";

const [minPercent, maxPercent] = [50, 90];
const daySeconds = 86_400;

/** Source: hot wallets and treasuries that were drained in hundreds of small transfers, none of which is large. */
export const assetDownInADay = defineTemplate({
  id: "asset_down_in_a_day",
  category: "vault",
  alsoIn: ["lending", "dex", "bridge", "proxy", "safe", "wallet", "other"],
  name: "Tokens down by half within a day",
  description:
    "Alerts if the balance of one of the tokens that the contract holds falls by more than 50 % within a day, or by twice what was usual on a day if that is more. It may be a drain in many small transfers. There is no rule for a token of which 45 % or more left on an ordinary day.",
  target_type: "token_balance",
  target_config: null,
  condition: down(minPercent),
  variantsFor: ({ profile }) => profile?.assets.filter(isSteady).map(variantOf),
  severity: "critical",
  for_seconds: 0,
  check(facts, target) {
    if (!facts.profile)
      return "The tokens of the contract are not known yet. Apply the template again when the contract was inspected.";
    if (facts.profile.assets.length > 0 && !facts.profile.assets.some(isSteady))
      return "Most of what the contract holds leaves on ordinary days too.";
    return needsAssets(facts, target);
  },
  isRecommended: (facts) =>
    !isOfAPerson(facts) ||
    facts.profile?.assets.some(({ outflow_of_day }) => outflow_of_day !== undefined) === true,
});

/** Whose past is not known: a person may pay any part of it. */
function isOfAPerson({ contract_type, profile }: ContractFacts): boolean {
  return contract_type === "wallet" || profile?.account?.kind === "token_account";
}

function isSteady(asset: Asset): boolean {
  return 200 * (usualOf(asset) ?? 0) < maxPercent;
}

/** What left in the known part of a day goes on for the rest of it. */
function usualOf({ outflow_of_day, drains }: Asset): number | undefined {
  if (outflow_of_day === undefined || !drains) return outflow_of_day;
  return outflow_of_day * Math.max(1, daySeconds / Math.max(1, drains.to - drains.from));
}

function variantOf(asset: Asset): Variant {
  const { token, symbol, holder, is_collectible, outflow_of_day } = asset;
  const name = symbol ?? token;
  const usual =
    outflow_of_day === undefined
      ? "Its past has too few transfers to show what is usual."
      : `In its recent past, at most ${(100 * outflow_of_day).toFixed(1)} % left within a day.`;
  return {
    key: token,
    about: name,
    config: { token, ...(holder && { holder }), ...(is_collectible && { decimals: 0 }) },
    condition: down(Math.max(minPercent, Math.ceil(200 * (usualOf(asset) ?? 0)))),
    source: `The contract holds ${name}. ${usual}`,
  };
}

function down(percent: number): Condition {
  return { operator: "change_pct_lt", threshold: -percent, aggregation: "last", window_seconds: daySeconds };
}
