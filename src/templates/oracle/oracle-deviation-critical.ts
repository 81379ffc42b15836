import { needsReference } from "../checks.ts";
import { defineTemplate, stateWindowSeconds, whereverItApplies } from "../template.ts";

/** Threshold: the deviation thresholds of feeds are 0.25 % to 5 %. */
export const oracleDeviationCritical = defineTemplate({
  id: "oracle_deviation_critical",
  category: "oracle",
  name: "Price deviates by 2 %",
  description:
    "Alerts if the price deviates from its reference by more than 2 % for five minutes. The feed may be wrong or manipulated.",
  target_type: "oracle_deviation",
  target_config: null,
  condition: { operator: "gt", threshold: 2, aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 300,
  check: needsReference,
  isRecommended: whereverItApplies,
});
