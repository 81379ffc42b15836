import type { TimedReading } from "./meter.ts";

/** Measures a non-numeric state: 1 if it differs from the previous state, else 0. The first state counts as unchanged. */
export function changeOf(
  state: string,
  previous: TimedReading | undefined,
): { value: 0 | 1; evidence: { state: string; previous_state?: string } } {
  const before = previous?.evidence?.state;
  if (typeof before !== "string" || before === state) return { value: 0, evidence: { state } };
  return { value: 1, evidence: { state, previous_state: before } };
}
