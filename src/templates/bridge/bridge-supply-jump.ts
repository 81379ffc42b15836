import { needsFunction } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's detector of bridge balances that differ, as far as one side of a bridge shows it. */
export const bridgeSupplyJump = defineTemplate({
  id: "bridge_supply_jump",
  category: "bridge",
  name: "Supply up by 10 % in an hour",
  description:
    "A tenth more of a bridged token exists than an hour ago: look whether that much was locked on the other side.",
  target_type: "token_supply",
  target_config: {},
  condition: { operator: "change_pct_gt", threshold: 10, aggregation: "last", window_seconds: 3600 },
  severity: "critical",
  for_seconds: 0,
  check: needsFunction("totalSupply()"),
});
