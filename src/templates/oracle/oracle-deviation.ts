import { needsReference } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** Threshold: feeds promise 0.25 % to 5 %. Below the alarm at 2 %, so that it wakes nobody. */
export const oracleDeviation = defineTemplate({
  id: "oracle_deviation",
  category: "oracle",
  name: "Off its reference by 1 %",
  description: "The price is more than 1 % away from what it is compared with.",
  target_type: "oracle_deviation",
  target_config: null,
  condition: { operator: "gt", threshold: 1, aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "warning",
  for_seconds: 300,
  check: needsReference,
});
