import { needsEither, needsEvent, needsFunction } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** Source: Tenderly's alerts on changes of state. */
export const lendingPaused = defineTemplate({
  id: "lending_paused",
  category: "lending",
  name: "Paused or unpaused",
  description: "The market was paused, or works again.",
  target_type: "pause_state",
  target_config: {},
  condition: { operator: "changed", aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 0,
  check: needsEither(needsFunction("paused()"), needsEvent("Paused(address)", "Paused()", "Pause()")),
});
