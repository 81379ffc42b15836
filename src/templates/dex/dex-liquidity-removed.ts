import { needsTokens } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's asset drain detector. */
export const dexLiquidityRemoved = defineTemplate({
  id: "dex_liquidity_removed",
  category: "dex",
  name: "Liquidity down by 25 % in an hour",
  description:
    "Alerts if the total value locked in the pool falls by more than 25 % within an hour, which may be a drain or a rug pull.",
  target_type: "tvl",
  target_config: null,
  condition: { operator: "change_pct_lt", threshold: -25, aggregation: "last", window_seconds: 3600 },
  severity: "critical",
  for_seconds: 0,
  check: needsTokens,
});
