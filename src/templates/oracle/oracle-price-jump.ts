import { needsPrice } from "../checks.ts";
import { type Condition, defineTemplate, whereverItApplies } from "../template.ts";
import { priceVariants } from "./price-source.ts";

const condition: Condition = {
  operator: "change_pct_gt",
  threshold: 10,
  aggregation: "last",
  window_seconds: 600,
};

/** Source: Forta's price change detector. */
export const oraclePriceJump = defineTemplate({
  id: "oracle_price_jump",
  category: "oracle",
  name: "Price up by 10 % in ten minutes",
  description:
    "Alerts if the price of the feed rises by more than 10 % within ten minutes, which may be price manipulation.",
  target_type: "oracle_price",
  target_config: {},
  condition,
  variantsFor: (facts) => priceVariants(facts, condition),
  severity: "critical",
  for_seconds: 0,
  check: needsPrice,
  isRecommended: whereverItApplies,
});
