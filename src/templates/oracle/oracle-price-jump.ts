import { needsFeed } from "../checks.ts";
import { defineTemplate, whereverItApplies } from "../template.ts";

/** Source: Forta's price change detector. */
export const oraclePriceJump = defineTemplate({
  id: "oracle_price_jump",
  category: "oracle",
  name: "Price up by 10 % in ten minutes",
  description:
    "Alerts if the price of the feed rises by more than 10 % within ten minutes, which may be price manipulation.",
  target_type: "oracle_price",
  target_config: {},
  condition: { operator: "change_pct_gt", threshold: 10, aggregation: "last", window_seconds: 600 },
  severity: "critical",
  for_seconds: 0,
  check: needsFeed,
  isRecommended: whereverItApplies,
});
