import { needsEvent } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Defender's template for access control. */
export const govOwnershipChange = defineTemplate({
  id: "gov_ownership_change",
  category: "governance",
  name: "Owner or role changed",
  description: "Power over the contract was given to somebody or taken away.",
  target_type: "ownership_change",
  target_config: {},
  condition: { operator: "gte", threshold: 1, aggregation: "count", window_seconds: 300 },
  severity: "critical",
  for_seconds: 0,
  check: needsEvent(
    "OwnershipTransferred(address,address)",
    "RoleGranted(bytes32,address,address)",
    "AddedOwner(address)",
    "OwnerUpdated(address,address)",
    "AdminChanged(address,address)",
    "NewAdmin(address)",
  ),
});
