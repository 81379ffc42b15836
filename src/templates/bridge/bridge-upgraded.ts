import { needsProxy } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** Source: Blockaid's alerts on upgrades. */
export const bridgeUpgraded = defineTemplate({
  id: "bridge_upgraded",
  category: "bridge",
  name: "Bridge upgraded",
  description: "The code of the bridge, or who may change it, was changed.",
  target_type: "proxy_implementation",
  target_config: {},
  condition: { operator: "changed", aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 0,
  check: needsProxy,
});
