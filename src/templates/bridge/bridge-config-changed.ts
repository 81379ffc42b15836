import { needsRoutes } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** Source: LayerZero's checklist. */
export const bridgeConfigChanged = defineTemplate({
  id: "bridge_config_changed",
  category: "bridge",
  name: "Verifiers changed",
  description: "Who must verify messages to the bridge was changed.",
  target_type: "bridge_config",
  target_config: null,
  condition: { operator: "changed", aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 0,
  check: needsRoutes,
});
