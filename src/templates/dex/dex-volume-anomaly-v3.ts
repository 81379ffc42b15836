import { needsEvent } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's volume anomaly detector. */
export const dexVolumeAnomalyV3 = defineTemplate({
  id: "dex_volume_anomaly_v3",
  category: "dex",
  name: "Unusual number of swaps (V3)",
  description:
    "Alerts if a Uniswap V3 pool has far more swaps in a minute than during the previous day, which may be an attack or a market event.",
  target_type: "anomaly_detection",
  target_config: {
    metric: "event_frequency",
    event_signature: "Swap(address,address,int256,int256,uint160,uint128,int24)",
    direction: "above",
  },
  condition: { operator: "gt", threshold: 4, aggregation: "last", window_seconds: 90_000 },
  severity: "warning",
  for_seconds: 0,
  check: needsEvent("Swap(address,address,int256,int256,uint160,uint128,int24)"),
});
