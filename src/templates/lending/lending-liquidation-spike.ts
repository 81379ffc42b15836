import { liquidationEvents } from "../../inspection/suggest/by-capability.ts";
import { hasEvent, needsEvent } from "../checks.ts";
import { type Condition, defineTemplate, whereverItApplies } from "../template.ts";

const [[aave], [compoundV2], [compoundV3]] = liquidationEvents;

/** Several liquidations within minutes show at once, in the block of the last one. */
const burst: Condition = { operator: "gte", threshold: 5, aggregation: "count", window_seconds: 300 };

/** Source: Forta's anomaly detectors. */
export const lendingLiquidationSpike = defineTemplate({
  id: "lending_liquidation_spike",
  category: "lending",
  name: "Burst of liquidations",
  description:
    "Alerts in the block of the fifth liquidation within five minutes, which may indicate a market crash or a wrong price.",
  target_type: "event_frequency",
  target_config: { event_signature: aave },
  condition: burst,
  variantsFor(facts) {
    const found = liquidationEvents.filter(([event]) => hasEvent(facts, event));
    if (found.length === 0) return undefined;
    return found.map(([event_signature]) => ({
      key: event_signature.slice(0, event_signature.indexOf("(")),
      config: { event_signature },
      condition: burst,
    }));
  },
  severity: "critical",
  for_seconds: 0,
  check: needsEvent(aave, compoundV2, compoundV3),
  isRecommended: whereverItApplies,
});
