import { always } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Tenderly's alerts on failed transactions. */
export const dexFailedTx = defineTemplate({
  id: "dex_failed_tx",
  category: "dex",
  name: "Many failed transactions",
  description: "Three of ten transactions to the contract fail.",
  target_type: "revert_rate",
  target_config: {},
  condition: { operator: "gt", threshold: 0.3, aggregation: "last", window_seconds: 600 },
  severity: "info",
  for_seconds: 0,
  check: always,
});
