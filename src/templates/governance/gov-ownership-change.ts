import { ownershipDeclarations } from "../../meters/control/ownership-events.ts";
import { needsEvent } from "../checks.ts";
import { defineTemplate, eachEvent, whereverItApplies } from "../template.ts";

const [first = "OwnershipTransferred(address,address)", ...others] = ownershipDeclarations;

/** Source: Defender's access control template. */
export const govOwnershipChange = defineTemplate({
  id: "gov_ownership_change",
  category: "governance",
  alsoIn: ["lending", "dex", "bridge", "oracle", "token", "vault", "proxy", "safe", "other"],
  name: "Owner or role changed",
  description:
    "Alerts on each change of owners, roles, admins or Safe signers. New owners and role members can change the contract.",
  target_type: "ownership_change",
  target_config: {},
  condition: eachEvent,
  severity: "critical",
  for_seconds: 0,
  check: needsEvent(first, ...others),
  isRecommended: whereverItApplies,
});
