import { needsFunction } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** Threshold: yearn's monitors of Compound markets. A warning only: the template at 99 % is critical. */
export const lendingUtilizationHigh = defineTemplate({
  id: "lending_utilization_high",
  category: "lending",
  name: "Utilisation above 95 %",
  description:
    "Alerts if more than 95 % of the supply is borrowed for ten minutes. Lenders may soon be unable to withdraw.",
  target_type: "utilization",
  target_config: { preset: "compound_v3" },
  condition: { operator: "gt", threshold: 0.95, aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "warning",
  for_seconds: 600,
  check: needsFunction("getUtilization()"),
});
