import { always } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Tenderly's failed transaction alerts. */
export const dexFailedTx = defineTemplate({
  id: "dex_failed_tx",
  category: "dex",
  name: "High rate of failed transactions",
  description:
    "Alerts if more than 30 % of the transactions to the contract fail within ten minutes, which may indicate an attack or a defect.",
  target_type: "revert_rate",
  target_config: {},
  condition: { operator: "gt", threshold: 0.3, aggregation: "last", window_seconds: 600 },
  severity: "info",
  for_seconds: 0,
  check: always,
});
