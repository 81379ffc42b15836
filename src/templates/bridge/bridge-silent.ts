import { always } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** A dead man's switch, by any sign of life: bridges name their deposits differently. */
export const bridgeSilent = defineTemplate({
  id: "bridge_silent",
  category: "bridge",
  name: "Silent for six hours",
  description: "Nothing has happened on the bridge for six hours.",
  target_type: "inactivity",
  target_config: {},
  condition: { operator: "gt", threshold: 21600, aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "warning",
  for_seconds: 0,
  check: always,
});
