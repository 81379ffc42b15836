import type { Block } from "../../chains/block.ts";
import { unitOn } from "../../meters/meter.ts";
import type { Names } from "../../meters/words.ts";
import type { NewEvent } from "../../store/engine/alert-events.ts";
import type { BlockPoint } from "../block-point.ts";
import { describe } from "../evaluate/describe-alert.ts";
import type { Evaluation } from "../evaluate/evaluation.ts";
import type { WatchedRule } from "../watch/watch-list.ts";

/** Builds the event that an evaluation fires. */
export function newEvent(
  evaluation: Evaluation,
  block: Pick<Block, "height" | "hash" | "time">,
  id: string,
  now: Date,
): NewEvent {
  const { windowResult, cause, occurrence } = evaluation;
  const { reading } = occurrence ?? {};
  return {
    ...copyRule(evaluation.rule),
    id,
    kind: windowResult.isNoData ? "no_data" : "fired",
    status: occurrence ? "occurred" : "firing",
    is_occurrence: occurrence !== undefined,
    observation: observationOf(evaluation, block),
    ...describeEvent(evaluation),
    value: windowResult.value,
    fired_at: new Date((reading?.time ?? block.time) * 1000),
    detected_at: now,
    resolved_at: null,
    resolved_height: null,
    acknowledged_at: null,
    acknowledged_by: null,
    // An occurrence belongs to the block of its reading: a reorg of later blocks does not concern it.
    block_number: String(reading?.height ?? block.height),
    block_hash: occurrence?.block_hash ?? block.hash,
    tx_hash: cause?.tx_hash ?? null,
    log_index: cause?.log_index ?? null,
    finality: "pending",
    created_at: now,
  };
}

/** The texts of an event, and its explanation as it is stored. */
export function describeEvent(
  evaluation: Evaluation,
  names?: Names,
): Pick<NewEvent, "title" | "message"> & { explanation: string } {
  const { title, message, explanation } = describe(evaluation, names);
  return { title, message, explanation: JSON.stringify(explanation) };
}

/** The fields that an event copies from its rule, target and contract as they are now. */
function copyRule(rule: WatchedRule) {
  const { target, condition } = rule;
  const { contract, meter } = target;
  const { chain } = contract.subject;
  return {
    org_id: contract.org_id,
    rule_id: rule.id,
    rule_version: rule.version,
    rule_name: rule.name,
    contract_id: contract.id,
    agent_id: rule.agent_id,
    chain: chain.chain,
    chain_id: String(chain.chain_id),
    target_id: target.id,
    target_type: target.target_type,
    severity: rule.severity,
    threshold: condition.threshold,
    operator: condition.operator,
    unit: unitOn(meter, target.config, chain),
    window_seconds: rule.isEach ? null : condition.window_seconds,
    group_value: rule.group ?? null,
    held_for: rule.confirmations,
  };
}

/** Identifies what was observed the same way on every branch: by the transaction, not the block. */
function observationOf(evaluation: Evaluation, block: BlockPoint): string {
  const observed = observedPart(evaluation, block);
  // Several groups may fire on the same transaction, or by the same passing of time.
  const { group } = evaluation.rule;
  return group === undefined ? observed : `${observed}:${group}`;
}

function observedPart(evaluation: Evaluation, { time, height }: BlockPoint): string {
  const { rule, before, cause, windowResult, occurrence } = evaluation;
  const { chain } = rule.target.contract.subject.chain;
  if (occurrence && !cause?.tx_hash) return `${chain}:change:${occurrence.reading.height}`;
  if (windowResult.isNoData) return `${chain}:silence:${time}`;
  if (!cause?.tx_hash) {
    const observed = `${chain}:time:${time}`;
    // Blocks may share a time, in which a rule can fire, resolve and fire again.
    return before.last_fired_at === time ? `${observed}:${cause?.height ?? height}` : observed;
  }
  const observed = `${chain}:${cause.tx_hash}:${cause.position ?? "tx"}`;
  return occurrence?.ordinal ? `${observed}:${occurrence.ordinal}` : observed;
}
