import type { Block } from "../../chains/block.ts";
import type { NewEvent } from "../../store/engine/alert-events.ts";
import { describe } from "../evaluate/describe-alert.ts";
import type { Evaluation } from "../evaluate/evaluate.ts";

/** Builds the event that an evaluation fires. */
export function newEvent(
  evaluation: Evaluation,
  block: Pick<Block, "height" | "hash" | "time">,
  id: string,
  now: Date,
): NewEvent {
  const { rule, windowResult, cause } = evaluation;
  const { target } = rule;
  const { contract, meter } = target;
  const { title, message, explanation } = describe(evaluation);
  return {
    id,
    org_id: contract.org_id,
    kind: windowResult.isNoData ? "no_data" : "fired",
    status: "firing",
    rule_id: rule.id,
    rule_version: rule.version,
    observation: observationOf(evaluation, block.time),
    rule_name: rule.name,
    contract_id: contract.id,
    agent_id: rule.agent_id,
    chain: contract.subject.chain.chain,
    chain_id: String(contract.subject.chain.chain_id),
    target_id: target.id,
    target_type: target.target_type,
    severity: rule.severity,
    title,
    message,
    value: windowResult.value,
    threshold: rule.condition.threshold,
    operator: rule.condition.operator,
    unit: meter.unit,
    window_seconds: rule.condition.window_seconds,
    held_for: rule.confirmations,
    fired_at: new Date(block.time * 1000),
    detected_at: now,
    resolved_at: null,
    resolved_height: null,
    acknowledged_at: null,
    acknowledged_by: null,
    block_number: String(block.height),
    block_hash: block.hash,
    tx_hash: cause?.tx_hash ?? null,
    log_index: cause?.log_index ?? null,
    finality: "pending",
    explanation: JSON.stringify(explanation),
    created_at: now,
  };
}

/** Identifies what was observed the same way on every branch: by the transaction, not the block. */
function observationOf({ rule, cause, windowResult }: Evaluation, time: number): string {
  const { chain } = rule.target.contract.subject.chain;
  if (windowResult.isNoData) return `${chain}:silence:${time}`;
  if (!cause?.tx_hash) return `${chain}:time:${time}`;
  return `${chain}:${cause.tx_hash}:${cause.position ?? "tx"}`;
}
