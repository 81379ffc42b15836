import { needsProxy } from "../checks.ts";
import { defineTemplate, eachStateChange, whereverItApplies } from "../template.ts";

/** Source: Blockaid's upgrade alerts. */
export const govUpgrade = defineTemplate({
  id: "gov_upgrade",
  category: "governance",
  alsoIn: ["lending", "dex", "oracle", "token", "vault", "proxy", "safe", "other"],
  name: "Contract upgraded",
  description:
    "Alerts if the implementation, admin or beacon of the proxy changes. New code can change every guarantee of the contract.",
  target_type: "proxy_implementation",
  target_config: {},
  condition: eachStateChange,
  severity: "critical",
  for_seconds: 0,
  check: needsProxy,
  isRecommended: whereverItApplies,
});
