import { needsToken } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's detector of bridge balance differences, limited to one side of the bridge. */
export const bridgeSupplyJump = defineTemplate({
  id: "bridge_supply_jump",
  category: "bridge",
  name: "Token supply up by 10 % in an hour",
  description:
    "Alerts if the supply of a bridged token rises by more than 10 % within an hour. Check that the same amount was locked on the other chain.",
  target_type: "token_supply",
  target_config: {},
  condition: { operator: "change_pct_gt", threshold: 10, aggregation: "last", window_seconds: 3600 },
  severity: "critical",
  for_seconds: 0,
  check: needsToken,
});
