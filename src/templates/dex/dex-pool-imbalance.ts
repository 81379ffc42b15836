import { needsTarget } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** Threshold: yearn's monitoring of pools of restaked ether. */
export const dexPoolImbalance = defineTemplate({
  id: "dex_pool_imbalance",
  category: "dex",
  name: "Pool imbalanced",
  description:
    "Alerts if one asset makes up more than 80 % of the pool for ten minutes. Traders are leaving that asset, which may lose its peg.",
  target_type: "pool_imbalance",
  target_config: null,
  condition: { operator: "gt", threshold: 0.8, aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 600,
  check: needsTarget(
    "Add a pool_imbalance target with the kind of pool and the decimals of its assets first.",
  ),
});
