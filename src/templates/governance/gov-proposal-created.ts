import { needsEvent } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: yearn's monitors of governance. What a timelock queues has a template of its own. */
export const govProposalCreated = defineTemplate({
  id: "gov_proposal_created",
  category: "governance",
  name: "New proposal",
  description: "Somebody proposed something to the governor.",
  target_type: "governance_proposal",
  target_config: { governor_kind: "oz" },
  condition: { operator: "gte", threshold: 1, aggregation: "count", window_seconds: 300 },
  severity: "warning",
  for_seconds: 0,
  check: needsEvent(
    "ProposalCreated(uint256,address,address[],uint256[],string[],bytes[],uint256,uint256,string)",
  ),
});
