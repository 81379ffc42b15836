import { always } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** A dead man's switch on any activity, because bridges have different deposit events. */
export const bridgeSilent = defineTemplate({
  id: "bridge_silent",
  category: "bridge",
  name: "Bridge inactive for six hours",
  description:
    "Alerts if the bridge has no transactions or events for six hours. Its relayers may have stopped.",
  target_type: "inactivity",
  target_config: {},
  condition: { operator: "gt", threshold: 21600, aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "warning",
  for_seconds: 0,
  check: always,
});
