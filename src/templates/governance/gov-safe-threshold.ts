import { needsFunction } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** Source: Tenderly's multisig alert example. */
export const govSafeThreshold = defineTemplate({
  id: "gov_safe_threshold",
  category: "governance",
  alsoIn: ["safe"],
  name: "Safe threshold changed",
  description:
    "Alerts if the number of required signatures of the Safe changes. A lower threshold makes it easier to take over.",
  target_type: "view_function",
  target_config: { signature: "getThreshold() view returns (uint256)" },
  condition: { operator: "changed", aggregation: "each", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 0,
  check: needsFunction("getThreshold()"),
});
