import { always } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's detector of large balance decreases. Uses the balance, because internal transfers are not transactions. */
export const bridgeNativeOutflow = defineTemplate({
  id: "bridge_native_outflow",
  category: "bridge",
  name: "Native balance down by 10 % in ten minutes",
  description:
    "Alerts if the native balance of the bridge falls by more than 10 % within ten minutes, which may be a drain of its funds.",
  target_type: "native_balance",
  target_config: {},
  condition: { operator: "change_pct_lt", threshold: -10, aggregation: "last", window_seconds: 600 },
  severity: "critical",
  for_seconds: 0,
  check: always,
});
