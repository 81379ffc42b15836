import { needsEvent } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's detector of unusual volume. */
export const dexVolumeAnomaly = defineTemplate({
  id: "dex_volume_anomaly",
  category: "dex",
  name: "Unusually many swaps",
  description: "Far more swaps in a minute than on the day before, in a pool like Uniswap V2's.",
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
