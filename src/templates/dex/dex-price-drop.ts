import { needsFunction } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's price change detector. The pool stores the square root of the price: -5.13 % of it is -10 % of the price. */
export const dexPriceDrop = defineTemplate({
  id: "dex_price_drop",
  category: "dex",
  name: "Price down by 10 % in five minutes",
  description:
    "Alerts if the price in a Uniswap V3 pool falls by more than 10 % within five minutes, which may be price manipulation.",
  target_type: "view_function",
  target_config: { signature: "slot0() view returns (uint160 sqrtPriceX96, int24 tick)" },
  condition: { operator: "change_pct_lt", threshold: -5.13, aggregation: "last", window_seconds: 300 },
  severity: "critical",
  for_seconds: 0,
  check: needsFunction("slot0()"),
});
