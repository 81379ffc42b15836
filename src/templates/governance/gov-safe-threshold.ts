import { needsFunction } from "../checks.ts";
import { defineTemplate, stateWindowSeconds } from "../template.ts";

/** Source: Tenderly's example of a multisig alert. */
export const govSafeThreshold = defineTemplate({
  id: "gov_safe_threshold",
  category: "governance",
  name: "Safe threshold changed",
  description: "The number of owners who must sign was changed.",
  target_type: "view_function",
  target_config: { signature: "getThreshold() view returns (uint256)" },
  condition: { operator: "changed", aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 0,
  check: needsFunction("getThreshold()"),
});
