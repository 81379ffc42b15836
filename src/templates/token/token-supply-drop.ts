import { needsToken } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's detector of large mints. */
export const tokenSupplyDrop = defineTemplate({
  id: "token_supply_drop",
  category: "token",
  alsoIn: ["vault"],
  name: "Supply down by 10 % in an hour",
  description:
    "Alerts if the supply of the token falls by more than 10 % within an hour: many tokens were burned or redeemed.",
  target_type: "token_supply",
  target_config: {},
  condition: { operator: "change_pct_lt", threshold: -10, aggregation: "last", window_seconds: 3600 },
  severity: "warning",
  for_seconds: 0,
  check: needsToken,
  // Deposits and withdrawals change the supply of shares and of liquidity tokens all the time.
  isRecommended: ({ contract_type, profile }) =>
    ["erc20", "erc721", "bridge_oapp"].includes(contract_type) || profile?.account?.kind === "mint",
});
