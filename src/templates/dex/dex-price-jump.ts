import { defineTemplate, whereverItApplies } from "../template.ts";
import { needsPriceOfPool, poolPriceVariants, within5Minutes } from "./pool-price.ts";

const condition = within5Minutes("change_pct_gt", 10);

/** Source: Forta's price change detector. */
export const dexPriceJump = defineTemplate({
  id: "dex_price_jump",
  category: "dex",
  name: "Price up by 10 % in five minutes",
  description:
    "Alerts if the price in a pool of two assets rises by more than 10 % within five minutes, which may be price manipulation.",
  target_type: "pool_price",
  target_config: { pool_kind: "uniswap_v3" },
  condition,
  variantsFor: (facts) => poolPriceVariants(facts, condition),
  severity: "critical",
  for_seconds: 0,
  check: needsPriceOfPool,
  isRecommended: whereverItApplies,
});
