import { needsRoutes } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** Source: LayerZero's checklist, by which production needs two or more. */
export const bridgeSingleVerifier = defineTemplate({
  id: "bridge_single_verifier",
  category: "bridge",
  name: "Fewer than two verifiers",
  description: "One verifier alone can have the bridge accept a message.",
  target_type: "bridge_config",
  target_config: null,
  condition: { operator: "lt", threshold: 2, aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 0,
  check: needsRoutes,
});
