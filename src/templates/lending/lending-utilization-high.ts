import { defineTemplate } from "../template.ts";
import { above, needsMarket, utilizationConfig } from "./market.ts";

/** Threshold: yearn's monitors of Compound markets. A warning only: the template at 99 % is critical. */
export const lendingUtilizationHigh = defineTemplate({
  id: "lending_utilization_high",
  category: "lending",
  name: "Utilisation above 95 %",
  description:
    "Alerts if more than 95 % of the supply is borrowed for ten minutes. Lenders may soon be unable to withdraw.",
  target_type: "utilization",
  target_config: { preset: "compound_v3" },
  condition: above(0.95),
  severity: "warning",
  for_seconds: 600,
  variantsFor: ({ profile }) =>
    profile?.market ? [{ config: utilizationConfig(profile.market), condition: above(0.95) }] : undefined,
  check: needsMarket,
});
