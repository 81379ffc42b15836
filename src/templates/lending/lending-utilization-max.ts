import { needsFunction } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** Threshold: yearn's monitors of Aave and Compound markets. */
export const lendingUtilizationMax = defineTemplate({
  id: "lending_utilization_max",
  category: "lending",
  name: "Utilisation above 99 %",
  description: "Alerts if more than 99 % of the supply is borrowed for ten minutes. Lenders cannot withdraw.",
  target_type: "utilization",
  target_config: { preset: "compound_v3" },
  condition: { operator: "gt", threshold: 0.99, aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 600,
  check: needsFunction("getUtilization()"),
});
