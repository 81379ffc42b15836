import { hasEvent, needsEvent } from "../checks.ts";
import { defineTemplate, eachEvent } from "../template.ts";

/** The event of multisig wallets from before Safe. */
const earlyFailure = "ExecutionFailure(uint256)";

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
  variantsFor(facts) {
    const isEarly = hasEvent(facts, earlyFailure) && !hasEvent(facts, "ExecutionFailure(bytes32,uint256)");
    return isEarly ? [{ config: { event_signature: earlyFailure }, condition: eachEvent }] : undefined;
  },
  check: needsEvent("ExecutionFailure(bytes32,uint256)", earlyFailure),
  isRecommended: ({ contract_type }) => contract_type === "safe",
});
