import { needsProxy } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** Source: Blockaid's alerts on upgrades. */
export const govUpgrade = defineTemplate({
  id: "gov_upgrade",
  category: "governance",
  name: "Upgraded",
  description: "The code of the contract, or who may change it, was changed.",
  target_type: "proxy_implementation",
  target_config: {},
  condition: { operator: "changed", aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 0,
  check: needsProxy,
});
