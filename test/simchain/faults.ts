/** The probability of each fault, from 0 to 1. */
export type Faults = Record<FaultName, number>;

export type FaultName =
  | (typeof httpFaults)[number]
  | (typeof replyFaults)[number]
  | (typeof batchFaults)[number]
  | (typeof traceFaults)[number];

/** Faults of a whole request. */
export const httpFaults = [
  "too_many",
  "too_many_retry_after",
  "server_error",
  "html",
  "truncated",
  "stall",
] as const;

/** Faults of one reply. */
export const replyFaults = [
  "limit_error",
  "internal_error",
  "blames_request",
  "null_block",
  "empty_logs",
  "missing_log",
  "extra_log",
  "wrong_hash",
] as const;

/** Faults of the ids in a batch. */
export const batchFaults = ["doubled_id", "lost_id", "shuffled"] as const;

/** Faults of traces. */
export const traceFaults = ["null_traces", "fewer_traces", "other_traces"] as const;

/** The faults that can affect any method. */
export const commonFaults = [...httpFaults, ...replyFaults, ...batchFaults];
const all = [...commonFaults, ...traceFaults];

export function noFaults(): Faults {
  return Object.fromEntries(all.map((name) => [name, 0])) as Faults;
}

/** Every fault with the same probability. */
export function allFaults(probability: number): Faults {
  return Object.fromEntries(all.map((name) => [name, probability])) as Faults;
}
