import { needsTarget } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** Threshold: yearn's check of pools of restaked ether. */
export const dexPoolImbalance = defineTemplate({
  id: "dex_pool_imbalance",
  category: "dex",
  name: "Pool out of balance",
  description: "More than four fifths of the pool are one asset, which others are being swapped for.",
  target_type: "pool_imbalance",
  target_config: null,
  condition: { operator: "gt", threshold: 0.8, aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 600,
  check: needsTarget(
    "Add a pool_imbalance target first: it has to know the kind of pool and the decimals of its assets.",
  ),
});
