import { needsFunction } from "../checks.ts";
import { defineTemplate, stateWindowSeconds, whereverItApplies } from "../template.ts";

/** Chainlink feeds are proxies without the standard storage slots, so proxy_implementation does not cover them. */
export const oracleAggregatorChanged = defineTemplate({
  id: "oracle_aggregator_changed",
  category: "oracle",
  name: "Aggregator replaced",
  description:
    "Alerts if the aggregator contract of the feed is replaced, because prices then come from another source.",
  target_type: "view_function",
  target_config: { signature: "aggregator() view returns (address)" },
  condition: { operator: "changed", aggregation: "each", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 0,
  check: needsFunction("aggregator()"),
  isRecommended: whereverItApplies,
});
