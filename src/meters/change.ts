import type { TimedReading } from "./meter.ts";

/** What a state that is no number measures: 1 when it differs from the one before, else 0. The first one is no change. */
export function changeOf(
  state: string,
  previous: TimedReading | undefined,
): { value: 0 | 1; evidence: { state: string; previous_state?: string } } {
  const before = previous?.evidence?.state;
  if (typeof before !== "string" || before === state) return { value: 0, evidence: { state } };
  return { value: 1, evidence: { state, previous_state: before } };
}
