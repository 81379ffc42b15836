import { pauseDeclarations, pauseFunctions } from "../../meters/state/pause-events.ts";
import { hasFunction, needsEither, needsEvent, needsFunction } from "../checks.ts";
import { type Condition, defineTemplate, stateWindowSeconds, whereverItApplies } from "../template.ts";

const condition: Condition = {
  operator: "changed",
  aggregation: "each",
  window_seconds: stateWindowSeconds,
};
const [first = "Paused(address)", ...others] = pauseDeclarations;

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
  condition,
  severity: "critical",
  for_seconds: 0,
  variantsFor(facts) {
    const pauseFunction = pauseFunctions.find((pauseFunction) => hasFunction(facts, pauseFunction));
    return pauseFunction && pauseFunction !== "paused()"
      ? [{ config: { function: pauseFunction }, condition }]
      : undefined;
  },
  check: needsEither(needsFunction(...pauseFunctions), needsEvent(first, ...others)),
  isRecommended: whereverItApplies,
});
