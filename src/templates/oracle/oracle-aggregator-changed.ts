import { needsFunction } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** Chainlink's feeds are proxies of their own kind, without the slots of others. */
export const oracleAggregatorChanged = defineTemplate({
  id: "oracle_aggregator_changed",
  category: "oracle",
  name: "Aggregator replaced",
  description: "Another contract answers behind the feed.",
  target_type: "view_function",
  target_config: { signature: "aggregator() view returns (address)" },
  condition: { operator: "changed", aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 0,
  check: needsFunction("aggregator()"),
});
