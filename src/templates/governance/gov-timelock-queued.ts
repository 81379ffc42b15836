import { needsOwnEvent } from "../checks.ts";
import { defineTemplate, eachEvent, whereverItApplies } from "../template.ts";

/** Source: yearn's timelock monitors. */
export const govTimelockQueued = defineTemplate({
  id: "gov_timelock_queued",
  category: "governance",
  name: "Operation queued in the timelock",
  description:
    "Alerts on each operation queued in the timelock. It can be executed after the delay; review it before then.",
  target_type: "governance_proposal",
  target_config: { governor_kind: "timelock" },
  condition: eachEvent,
  severity: "critical",
  for_seconds: 0,
  check: needsOwnEvent(
    "CallScheduled(bytes32,uint256,address,uint256,bytes,bytes32,uint256)",
    "QueueTransaction(bytes32,address,uint256,string,bytes,uint256)",
  ),
  isRecommended: whereverItApplies,
});
