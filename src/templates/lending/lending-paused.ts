import { needsEither, needsEvent, needsFunction } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** Source: Tenderly's state change alerts. */
export const lendingPaused = defineTemplate({
  id: "lending_paused",
  category: "lending",
  name: "Market paused or unpaused",
  description:
    "Alerts if the market is paused or unpaused. Users of a paused market cannot act on their positions.",
  target_type: "pause_state",
  target_config: {},
  condition: { operator: "changed", aggregation: "each", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 0,
  check: needsEither(needsFunction("paused()"), needsEvent("Paused(address)", "Paused()", "Pause()")),
});
