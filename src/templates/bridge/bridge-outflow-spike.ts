import { needsTokens } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's detector of large decreases of balance. */
export const bridgeOutflowSpike = defineTemplate({
  id: "bridge_outflow_spike",
  category: "bridge",
  name: "Value down by 10 % in ten minutes",
  description: "A tenth of what the bridge holds left at once.",
  target_type: "tvl",
  target_config: null,
  condition: { operator: "change_pct_lt", threshold: -10, aggregation: "last", window_seconds: 600 },
  severity: "critical",
  for_seconds: 0,
  check: needsTokens,
});
