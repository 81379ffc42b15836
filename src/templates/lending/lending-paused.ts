import { flaggedPauses } from "../../meters/state/pause-state.ts";
import { needsEither, needsEvent, needsFunction } from "../checks.ts";
import { defineTemplate, stateWindowSeconds, whereverItApplies } from "../template.ts";

/** Source: Tenderly's state change alerts. */
export const lendingPaused = defineTemplate({
  id: "lending_paused",
  category: "lending",
  alsoIn: ["dex", "bridge", "token", "vault", "proxy", "other"],
  name: "Paused or unpaused",
  description:
    "Alerts if the contract is paused or unpaused. While it is paused, users cannot act on their positions.",
  target_type: "pause_state",
  target_config: {},
  condition: { operator: "changed", aggregation: "each", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 0,
  check: needsEither(
    needsFunction("paused()"),
    needsEvent("Paused(address)", "Paused()", "Pause()", ...flaggedPauses),
  ),
  isRecommended: whereverItApplies,
});
