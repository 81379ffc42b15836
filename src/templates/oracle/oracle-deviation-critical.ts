import { needsReference } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** Threshold: feeds promise 0.25 % to 5 %. */
export const oracleDeviationCritical = defineTemplate({
  id: "oracle_deviation_critical",
  category: "oracle",
  name: "Off its reference by 2 %",
  description: "The price is more than 2 % away from what it is compared with.",
  target_type: "oracle_deviation",
  target_config: null,
  condition: { operator: "gt", threshold: 2, aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 300,
  check: needsReference,
});
