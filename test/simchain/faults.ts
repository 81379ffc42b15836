/** How often each thing goes wrong, from 0 for never to 1 for always. */
export type Faults = Record<FaultName, number>;

export type FaultName =
  | (typeof httpFaults)[number]
  | (typeof answerFaults)[number]
  | (typeof batchFaults)[number]
  | (typeof traceFaults)[number];

/** Of a whole request. */
export const httpFaults = [
  "too_many",
  "too_many_retry_after",
  "server_error",
  "html",
  "truncated",
  "stall",
] as const;

/** Of one answer. */
export const answerFaults = [
  "limit_error",
  "internal_error",
  "blames_request",
  "null_block",
  "empty_logs",
  "missing_log",
  "extra_log",
  "wrong_hash",
] as const;

/** Of the ids in a batch. */
export const batchFaults = ["doubled_id", "lost_id", "shuffled"] as const;

/** Of what is told of the calls in a block. */
export const traceFaults = ["null_traces", "fewer_traces", "other_traces"] as const;

/** What goes wrong with nodes whatever they are asked for. */
export const commonFaults = [...httpFaults, ...answerFaults, ...batchFaults];
const all = [...commonFaults, ...traceFaults];

export function noFaults(): Faults {
  return Object.fromEntries(all.map((name) => [name, 0])) as Faults;
}

/** Every fault with the same probability. */
export function allFaults(probability: number): Faults {
  return Object.fromEntries(all.map((name) => [name, probability])) as Faults;
}
