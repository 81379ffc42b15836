import type { Call, Emitted } from "./meter.ts";

/** What an explanation shows of a transaction. */
export function callEvidence(call: Call): Record<string, unknown> {
  return {
    from: call.from,
    to: call.to,
    value: call.value,
    ...(call.receipt && { status: call.receipt.is_success ? "success" : "failed" }),
    ...(call.decoded && { decoded: call.decoded }),
  };
}

/** What an explanation shows of a log. */
export function eventEvidence(event: Emitted): Record<string, unknown> {
  return event.decoded ? { decoded: event.decoded } : { address: event.address, topics: event.topics };
}
