import { needsFunction } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** Threshold: what yearn's monitors use for Compound markets. Below the alarm at 99 %, so that it wakes nobody. */
export const lendingUtilizationHigh = defineTemplate({
  id: "lending_utilization_high",
  category: "lending",
  name: "Utilisation above 95 %",
  description:
    "Nearly everything that was supplied is lent out, so that lenders may soon be unable to withdraw.",
  target_type: "utilization",
  target_config: { preset: "compound_v3" },
  condition: { operator: "gt", threshold: 0.95, aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "warning",
  for_seconds: 600,
  check: needsFunction("getUtilization()"),
});
