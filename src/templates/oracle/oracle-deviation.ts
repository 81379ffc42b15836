import { needsReference } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** Threshold: the deviation thresholds of feeds are 0.25 % to 5 %. A warning only: the template at 2 % is critical. */
export const oracleDeviation = defineTemplate({
  id: "oracle_deviation",
  category: "oracle",
  name: "Price deviates by 1 %",
  description:
    "Alerts if the price deviates from its reference by more than 1 % for five minutes. The feed may be wrong or delayed.",
  target_type: "oracle_deviation",
  target_config: null,
  condition: { operator: "gt", threshold: 1, aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "warning",
  for_seconds: 300,
  check: needsReference,
});
