import { needsEvent } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's anomaly detectors. The anomaly score has a minimum deviation, so that one liquidation on a quiet day does not fire. */
export const lendingLiquidationSpike = defineTemplate({
  id: "lending_liquidation_spike",
  category: "lending",
  name: "Unusual number of liquidations",
  description:
    "Alerts if there are far more liquidations in a minute than during the previous day, which may indicate a market crash or a wrong price.",
  target_type: "anomaly_detection",
  target_config: {
    metric: "event_frequency",
    event_signature: "LiquidationCall(address,address,address,uint256,uint256,address,bool)",
    direction: "above",
  },
  condition: { operator: "gt", threshold: 4, aggregation: "last", window_seconds: 90_000 },
  severity: "critical",
  for_seconds: 0,
  check: needsEvent("LiquidationCall(address,address,address,uint256,uint256,address,bool)"),
});
