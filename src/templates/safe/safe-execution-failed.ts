import { needsEvent } from "../checks.ts";
import { defineTemplate, eachEvent } from "../template.ts";

/** A failed execution uses its nonce up, so that it must be signed again. */
export const safeExecutionFailed = defineTemplate({
  id: "safe_execution_failed",
  category: "safe",
  name: "Safe transaction failed",
  description: "Alerts if a transaction that the owners signed failed when it was executed.",
  target_type: "event_frequency",
  target_config: { event_signature: "ExecutionFailure(bytes32,uint256)" },
  condition: eachEvent,
  severity: "warning",
  for_seconds: 0,
  check: needsEvent("ExecutionFailure(bytes32,uint256)"),
  isRecommended: ({ contract_type }) => contract_type === "safe",
});
