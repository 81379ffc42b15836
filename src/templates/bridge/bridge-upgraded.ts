import { needsProxy } from "../checks.ts";
import { defineTemplate, eachStateChange } from "../template.ts";

/** Source: Blockaid's upgrade alerts. */
export const bridgeUpgraded = defineTemplate({
  id: "bridge_upgraded",
  category: "bridge",
  name: "Bridge upgraded",
  description:
    "Alerts if the implementation, admin or beacon of the bridge proxy changes. New code can change every guarantee of the bridge.",
  target_type: "proxy_implementation",
  target_config: {},
  condition: eachStateChange,
  severity: "critical",
  for_seconds: 0,
  check: needsProxy,
});
