import { needsFunction } from "../checks.ts";
import { defineTemplate, stateWindowSeconds, whereverItApplies } from "../template.ts";

/** The delay is the protection that a timelock gives. */
export const govTimelockDelayCut = defineTemplate({
  id: "gov_timelock_delay_cut",
  category: "governance",
  name: "Timelock delay shortened",
  description:
    "Alerts if the delay of the timelock decreases, because users then have less time to react to changes.",
  target_type: "timelock_delay",
  target_config: {},
  condition: {
    operator: "change_pct_lt",
    threshold: 0,
    aggregation: "last",
    window_seconds: stateWindowSeconds,
  },
  severity: "critical",
  for_seconds: 0,
  check: needsFunction("getMinDelay()", "delay()"),
  isRecommended: whereverItApplies,
});
