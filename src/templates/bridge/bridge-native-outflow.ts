import { always } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's detector of large decreases of balance. By the balance, since a contract pays out without a transaction of its own. */
export const bridgeNativeOutflow = defineTemplate({
  id: "bridge_native_outflow",
  category: "bridge",
  name: "Native balance down by 10 % in ten minutes",
  description: "A tenth of the native currency that the bridge holds left at once.",
  target_type: "native_balance",
  target_config: {},
  condition: { operator: "change_pct_lt", threshold: -10, aggregation: "last", window_seconds: 600 },
  severity: "critical",
  for_seconds: 0,
  check: always,
});
