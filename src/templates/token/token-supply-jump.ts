import { needsFunction } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's detector of large mints. */
export const tokenSupplyJump = defineTemplate({
  id: "token_supply_jump",
  category: "token",
  alsoIn: ["vault"],
  name: "Supply up by 10 % in an hour",
  description:
    "Alerts if the supply of the token rises by more than 10 % within an hour. New tokens dilute those of all holders and can be sold.",
  target_type: "token_supply",
  target_config: {},
  condition: { operator: "change_pct_gt", threshold: 10, aggregation: "last", window_seconds: 3600 },
  severity: "critical",
  for_seconds: 0,
  check: needsFunction("totalSupply()"),
  // Deposits and withdrawals change the supply of shares and of liquidity tokens all the time.
  isRecommended: ({ contract_type }) => ["erc20", "erc721", "bridge_oapp"].includes(contract_type),
});
