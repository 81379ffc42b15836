import { needsAccount } from "../checks.ts";
import { defineTemplate, eachStateChange, whereverItApplies } from "../template.ts";

/**
 * Source: attacks in which the threshold of a multisig was lowered, or its members were replaced, before its funds or programs
 * were taken.
 */
export const solanaMultisigChanged = defineTemplate({
  id: "solana_multisig_changed",
  category: "safe",
  alsoIn: ["governance"],
  name: "Multisig changed",
  description:
    "Alerts if the threshold of the multisig of Squads changes, if a member that may vote is added or removed, or if its time lock or who can change it without a vote changes. Programs and tokens whose authority is a vault of the multisig are then controlled by others.",
  target_type: "solana_authority_change",
  target_config: { account: "multisig" },
  condition: eachStateChange,
  severity: "critical",
  for_seconds: 0,
  check: needsAccount("multisig"),
  isRecommended: whereverItApplies,
});
