import { needsFunction } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's detector of price changes. The pool keeps the square root of the price, of which 4.88 % more are 10 % more. */
export const dexPriceJump = defineTemplate({
  id: "dex_price_jump",
  category: "dex",
  name: "Price up by 10 % in five minutes",
  description: "The price in a pool like Uniswap V3's rose by a tenth.",
  target_type: "view_function",
  target_config: { signature: "slot0() view returns (uint160 sqrtPriceX96, int24 tick)" },
  condition: { operator: "change_pct_gt", threshold: 4.88, aggregation: "last", window_seconds: 300 },
  severity: "critical",
  for_seconds: 0,
  check: needsFunction("slot0()"),
});
