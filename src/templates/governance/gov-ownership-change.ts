import { needsEvent } from "../checks.ts";
import { defineTemplate, eachEvent, whereverItApplies } from "../template.ts";

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
  check: needsEvent(
    "OwnershipTransferred(address,address)",
    "RoleGranted(bytes32,address,address)",
    "AddedOwner(address)",
    "OwnerUpdated(address,address)",
    "AdminChanged(address,address)",
    "NewAdmin(address)",
    "RoleGranted(uint64,address,uint32,uint48,bool)",
  ),
  isRecommended: whereverItApplies,
});
