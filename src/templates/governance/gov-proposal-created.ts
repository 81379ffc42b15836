import { needsOwnEvent } from "../checks.ts";
import { defineTemplate, eachEvent, whereverItApplies } from "../template.ts";

/** Source: yearn's governance monitors. Operations of a timelock have another template. */
export const govProposalCreated = defineTemplate({
  id: "gov_proposal_created",
  category: "governance",
  name: "New proposal",
  description:
    "Alerts on each new proposal of the governor, so that it can be reviewed before the vote ends.",
  target_type: "governance_proposal",
  target_config: { governor_kind: "oz" },
  condition: eachEvent,
  severity: "warning",
  for_seconds: 0,
  check: needsOwnEvent(
    "ProposalCreated(uint256,address,address[],uint256[],string[],bytes[],uint256,uint256,string)",
  ),
  isRecommended: whereverItApplies,
});
