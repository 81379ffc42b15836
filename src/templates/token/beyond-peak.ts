import type { Condition } from "../template.ts";

/** Raises the threshold to twice the most that ordinary traffic reached, so that a busy token does not fire. */
export function beyondPeak(condition: Condition, peak: number): Condition {
  return { ...condition, threshold: Math.max(condition.threshold ?? 0, 2 * peak) };
}
