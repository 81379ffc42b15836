import { needsTokens } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's detector of large balance decreases. */
export const bridgeOutflowSpike = defineTemplate({
  id: "bridge_outflow_spike",
  category: "bridge",
  name: "Bridge TVL down by 10 % in ten minutes",
  description:
    "Alerts if the total value locked in the bridge falls by more than 10 % within ten minutes, which may be a drain of its funds.",
  target_type: "tvl",
  target_config: null,
  condition: { operator: "change_pct_lt", threshold: -10, aggregation: "last", window_seconds: 600 },
  severity: "critical",
  for_seconds: 0,
  check: needsTokens,
});
