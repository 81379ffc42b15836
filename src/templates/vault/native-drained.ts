import { always } from "../checks.ts";
import { defineTemplate } from "../template.ts";
import { holdsProceeds } from "./holds-proceeds.ts";

/** Source: Forta's detector of large balance decreases. */
export const nativeDrained = defineTemplate({
  id: "native_drained",
  category: "vault",
  alsoIn: ["lending", "dex", "bridge", "proxy", "safe", "wallet", "other"],
  name: "Native currency drained",
  description:
    "Alerts if the native balance falls by more than 30 % within ten minutes, which may be a drain of the funds.",
  target_type: "native_balance",
  target_config: {},
  condition: { operator: "change_pct_lt", threshold: -30, aggregation: "last", window_seconds: 600 },
  severity: "critical",
  for_seconds: 0,
  check: always,
  isRecommended: (facts) => facts.profile?.holds_native === true && !holdsProceeds(facts),
});
