import { needsEvent } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's volume anomaly detector. */
export const dexVolumeAnomaly = defineTemplate({
  id: "dex_volume_anomaly",
  category: "dex",
  name: "Unusual number of swaps",
  description:
    "Alerts if a Uniswap V2 pool has far more swaps in a minute than during the previous day, which may be an attack or a market event.",
  target_type: "anomaly_detection",
  target_config: {
    metric: "event_frequency",
    event_signature: "Swap(address,uint256,uint256,uint256,uint256,address)",
    direction: "above",
  },
  condition: { operator: "gt", threshold: 4, aggregation: "last", window_seconds: 90_000 },
  severity: "warning",
  for_seconds: 0,
  check: needsEvent("Swap(address,uint256,uint256,uint256,uint256,address)"),
});
