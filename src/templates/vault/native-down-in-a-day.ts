import { always } from "../checks.ts";
import { defineTemplate } from "../template.ts";
import { holdsProceeds } from "./holds-proceeds.ts";

/** Source: treasuries that were drained in hundreds of small transfers, none of which is large. */
export const nativeDownInADay = defineTemplate({
  id: "native_down_in_a_day",
  category: "vault",
  alsoIn: ["lending", "dex", "bridge", "proxy", "safe", "wallet", "other"],
  name: "Native currency down by half within a day",
  description:
    "Alerts if the native balance falls by more than 50 % within a day, which may be a drain in many small transfers.",
  target_type: "native_balance",
  target_config: {},
  condition: { operator: "change_pct_lt", threshold: -50, aggregation: "last", window_seconds: 86_400 },
  severity: "critical",
  for_seconds: 0,
  check: always,
  // The owner of a wallet may pay any part of it; a wallet has a rule for a low balance.
  isRecommended: (facts) =>
    facts.contract_type !== "wallet" && facts.profile?.holds_native === true && !holdsProceeds(facts),
});
