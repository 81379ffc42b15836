import { needsFunction } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's detector of price changes. The pool keeps the square root of the price, of which 5.13 % less are 10 % less. */
export const dexPriceDrop = defineTemplate({
  id: "dex_price_drop",
  category: "dex",
  name: "Price down by 10 % in five minutes",
  description: "The price in a pool like Uniswap V3's fell by a tenth.",
  target_type: "view_function",
  target_config: { signature: "slot0() view returns (uint160 sqrtPriceX96, int24 tick)" },
  condition: { operator: "change_pct_lt", threshold: -5.13, aggregation: "last", window_seconds: 300 },
  severity: "critical",
  for_seconds: 0,
  check: needsFunction("slot0()"),
});
