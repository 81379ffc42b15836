import { needsRoutes } from "../checks.ts";
import { defineTemplate, stateWindowSeconds, whereverItApplies } from "../template.ts";

/** Source: LayerZero's security checklist, which requires two or more verifiers in production. */
export const bridgeSingleVerifier = defineTemplate({
  id: "bridge_single_verifier",
  category: "bridge",
  name: "Fewer than two bridge verifiers",
  description:
    "Alerts if a route of the bridge requires fewer than two verifiers. A single compromised verifier could then forge messages.",
  target_type: "bridge_config",
  target_config: null,
  condition: { operator: "lt", threshold: 2, aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 0,
  check: needsRoutes,
  isRecommended: whereverItApplies,
});
