import type { Call, Emitted } from "../chains/activity.ts";
import type { Reading } from "./meter.ts";

/** Builds the reading of a transaction. */
export function callReading(call: Call, value: number, extra?: Record<string, unknown>): Reading {
  return { value, tx_hash: call.tx_hash, position: null, evidence: { ...callEvidence(call), ...extra } };
}

/** Builds the reading of a log. */
export function eventReading(event: Emitted, value: number, extra?: Record<string, unknown>): Reading {
  const { tx_hash, position, log_index } = event;
  return { value, tx_hash, position, log_index, evidence: { ...eventEvidence(event), ...extra } };
}

/** The fields of a transaction that an alert's explanation shows. */
export function callEvidence(call: Call): Record<string, unknown> {
  return {
    from: call.from,
    to: call.to,
    value: call.value,
    ...(call.receipt && { status: call.receipt.is_success ? "success" : "failed" }),
    ...(call.decoded && { decoded: call.decoded }),
    ...call.failure,
  };
}

function eventEvidence(event: Emitted): Record<string, unknown> {
  const content = event.decoded
    ? { decoded: event.decoded }
    : { address: event.address, topics: event.topics };
  return event.sender === undefined ? content : { ...content, sender: event.sender };
}
