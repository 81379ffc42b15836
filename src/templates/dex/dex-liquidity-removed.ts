import { needsTokens } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's detector of drained assets. */
export const dexLiquidityRemoved = defineTemplate({
  id: "dex_liquidity_removed",
  category: "dex",
  name: "Liquidity down by 25 % in an hour",
  description: "A quarter of what the pool holds left within an hour.",
  target_type: "tvl",
  target_config: null,
  condition: { operator: "change_pct_lt", threshold: -25, aggregation: "last", window_seconds: 3600 },
  severity: "critical",
  for_seconds: 0,
  check: needsTokens,
});
