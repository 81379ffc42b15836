import { needsTarget } from "../checks.ts";
import { type Condition, defineTemplate, stateWindowSeconds, whereverItApplies } from "../template.ts";

const needsPoolTarget = needsTarget(
  "Add a pool_imbalance target with the kind of pool and the decimals of its assets first. It is meant for pools of assets with equal value.",
);
/** Some pools are imbalanced for years; half of what is left then shows a change. */
function imbalanced(share = 0): Condition {
  const threshold = Math.max(0.8, Math.round(100 * (share + (1 - share) / 2)) / 100);
  return { operator: "gt", threshold, aggregation: "last", window_seconds: stateWindowSeconds };
}
const curvePool = (decimals: readonly number[]) => ({ pool_kind: "curve", coins: decimals.length, decimals });

/** Threshold: yearn's monitoring of pools of restaked ether. */
export const dexPoolImbalance = defineTemplate({
  id: "dex_pool_imbalance",
  category: "dex",
  name: "Pool imbalanced",
  description:
    "Alerts if one asset makes up more than 80 % of the pool. Traders are leaving that asset, which may lose its peg.",
  target_type: "pool_imbalance",
  target_config: null,
  condition: imbalanced(),
  severity: "critical",
  for_seconds: 0,
  variantsFor: ({ profile }) =>
    profile?.pool?.kind === "curve"
      ? [
          {
            config: curvePool(profile.pool.decimals),
            condition: imbalanced(profile.pool.largest_share),
            ...(profile.pool.largest_share !== undefined && {
              source: `The largest asset is ${(100 * profile.pool.largest_share).toFixed(0)} % of the pool now.`,
            }),
          },
        ]
      : undefined,
  check: (facts, target) =>
    facts.profile?.pool?.kind === "curve" ? undefined : needsPoolTarget(facts, target),
  isRecommended: whereverItApplies,
});
