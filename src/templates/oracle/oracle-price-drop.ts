import { needsFunction } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's detector of price changes. */
export const oraclePriceDrop = defineTemplate({
  id: "oracle_price_drop",
  category: "oracle",
  name: "Price down by 10 % in ten minutes",
  description: "The feed's price fell by a tenth.",
  target_type: "oracle_price",
  target_config: {},
  condition: { operator: "change_pct_lt", threshold: -10, aggregation: "last", window_seconds: 600 },
  severity: "critical",
  for_seconds: 0,
  check: needsFunction("latestRoundData()"),
});
