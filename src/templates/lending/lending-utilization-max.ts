import { defineTemplate, whereverItApplies } from "../template.ts";
import { above, needsMarket, utilizationConfig } from "./market.ts";

/** Threshold: yearn's monitors of Aave and Compound markets. */
export const lendingUtilizationMax = defineTemplate({
  id: "lending_utilization_max",
  category: "lending",
  name: "Utilisation above 99 %",
  description: "Alerts if more than 99 % of the supply is borrowed. Lenders cannot withdraw.",
  target_type: "utilization",
  target_config: { preset: "compound_v3" },
  condition: above(0.99),
  severity: "critical",
  for_seconds: 0,
  variantsFor: ({ profile }) =>
    profile?.market ? [{ config: utilizationConfig(profile.market), condition: above(0.99) }] : undefined,
  check: needsMarket,
  isRecommended: whereverItApplies,
});
