import { needsRoutes } from "../checks.ts";
import { defineTemplate, stateWindowSeconds, whereverItApplies } from "../template.ts";

/** Source: LayerZero's security checklist. */
export const bridgeConfigChanged = defineTemplate({
  id: "bridge_config_changed",
  category: "bridge",
  name: "Bridge verifiers changed",
  description:
    "Alerts if the verifiers or libraries of the incoming bridge routes change. Weaker verification lets attackers forge messages.",
  target_type: "bridge_config",
  target_config: null,
  condition: { operator: "changed", aggregation: "each", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 0,
  check: needsRoutes,
  isRecommended: whereverItApplies,
});
