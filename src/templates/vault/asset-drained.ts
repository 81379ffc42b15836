import { needsAssets } from "../checks.ts";
import { type Condition, defineTemplate, whereverItApplies } from "../template.ts";

const drained: Condition = {
  operator: "change_pct_lt",
  threshold: -30,
  aggregation: "last",
  window_seconds: 600,
};

/** Source: Forta's asset drain detector. A drop of one asset needs no price. */
export const assetDrained = defineTemplate({
  id: "asset_drained",
  category: "vault",
  alsoIn: ["lending", "dex", "bridge", "proxy", "safe", "wallet"],
  name: "Tokens drained",
  description:
    "Alerts if the balance of one of the tokens that the contract holds falls by more than 30 % within ten minutes, which may be a drain of its funds.",
  target_type: "token_balance",
  target_config: null,
  condition: drained,
  variantsFor: ({ profile }) =>
    profile?.assets.map(({ token, symbol }) => ({
      key: token,
      about: symbol ?? token,
      config: { token },
      condition: drained,
      source: `The contract holds ${symbol ?? "the token"} (${token}).`,
    })),
  severity: "critical",
  for_seconds: 0,
  check: (facts, target) =>
    facts.profile
      ? needsAssets(facts, target)
      : "The tokens of the contract are not known yet. Apply the template again when the contract was inspected.",
  isRecommended: whereverItApplies,
});
