import { needsEvent } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's detector of unusual volume. */
export const dexVolumeAnomalyV3 = defineTemplate({
  id: "dex_volume_anomaly_v3",
  category: "dex",
  name: "Unusually many swaps (V3)",
  description: "Far more swaps in a minute than on the day before, in a pool like Uniswap V3's.",
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
