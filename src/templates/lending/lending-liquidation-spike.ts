import { liquidationEvents } from "../../inspection/suggest/by-capability.ts";
import { hasEvent, needsEvent } from "../checks.ts";
import { type Condition, defineTemplate, type Variant, whereverItApplies } from "../template.ts";
import { raiseAbovePeak } from "../token/raise-above-peak.ts";

const [[aave], [compoundV2], [compoundV3]] = liquidationEvents;

/** Several liquidations within minutes show at once, in the block of the last one. */
const burst: Condition = { operator: "gte", threshold: 5, aggregation: "count", window_seconds: 300 };

/** Source: Forta's anomaly detectors. */
export const lendingLiquidationSpike = defineTemplate({
  id: "lending_liquidation_spike",
  category: "lending",
  name: "Burst of liquidations",
  description:
    "Alerts in the block of the fifth liquidation within five minutes, or at twice as many as there were before, which may indicate a market crash or a wrong price.",
  target_type: "event_frequency",
  target_config: { event_signature: aave },
  condition: burst,
  variantsFor(facts) {
    const liquidations = facts.profile?.liquidations ?? [];
    const events = liquidationEvents.filter(([event]) => hasEvent(facts, event));
    if (events.length + liquidations.length === 0) return undefined;
    return [
      ...events.map(([event]) => variantOf(event)),
      ...liquidations.map(({ event, peak }) => ({
        ...variantOf(event),
        condition: raiseAbovePeak(burst, peak),
        source: `In its recent past, at most ${peak} came within five minutes.`,
      })),
    ];
  },
  severity: "critical",
  for_seconds: 0,
  check: (facts, target) =>
    facts.profile?.liquidations.length ? undefined : needsEvent(aave, compoundV2, compoundV3)(facts, target),
  isRecommended: whereverItApplies,
});

function variantOf(event_signature: string): Variant {
  const key = event_signature.slice(0, event_signature.indexOf("("));
  return { key, config: { event_signature }, condition: burst };
}
