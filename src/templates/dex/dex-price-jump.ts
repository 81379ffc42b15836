import { needsFunction } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's price change detector. The pool stores the square root of the price: +4.88 % of it is +10 % of the price. */
export const dexPriceJump = defineTemplate({
  id: "dex_price_jump",
  category: "dex",
  name: "Price up by 10 % in five minutes",
  description:
    "Alerts if the price in a Uniswap V3 pool rises by more than 10 % within five minutes, which may be price manipulation.",
  target_type: "view_function",
  target_config: { signature: "slot0() view returns (uint160 sqrtPriceX96, int24 tick)" },
  condition: { operator: "change_pct_gt", threshold: 4.88, aggregation: "last", window_seconds: 300 },
  severity: "critical",
  for_seconds: 0,
  check: needsFunction("slot0()"),
});
