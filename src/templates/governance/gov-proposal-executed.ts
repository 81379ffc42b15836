import { needsEvent } from "../checks.ts";
import { defineTemplate, eachEvent, whereverItApplies } from "../template.ts";

/** Source: yearn's governance monitors. */
export const govProposalExecuted = defineTemplate({
  id: "gov_proposal_executed",
  category: "governance",
  name: "Proposal executed",
  description: "Alerts on each executed proposal, because its changes are now in effect.",
  target_type: "event_frequency",
  target_config: { event_signature: "ProposalExecuted(uint256)" },
  condition: eachEvent,
  severity: "warning",
  for_seconds: 0,
  check: needsEvent("ProposalExecuted(uint256)"),
  isRecommended: whereverItApplies,
});
