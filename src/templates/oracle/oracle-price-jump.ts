import { needsFunction } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's detector of price changes. */
export const oraclePriceJump = defineTemplate({
  id: "oracle_price_jump",
  category: "oracle",
  name: "Price up by 10 % in ten minutes",
  description: "The feed's price rose by a tenth.",
  target_type: "oracle_price",
  target_config: {},
  condition: { operator: "change_pct_gt", threshold: 10, aggregation: "last", window_seconds: 600 },
  severity: "critical",
  for_seconds: 0,
  check: needsFunction("latestRoundData()"),
});
