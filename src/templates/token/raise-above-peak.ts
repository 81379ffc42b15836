import type { Condition } from "../template.ts";

/** Raises the threshold to twice the peak of ordinary traffic, so that a busy token does not fire. */
export function raiseAbovePeak(condition: Condition, peak: number): Condition {
  return { ...condition, threshold: Math.max(condition.threshold ?? 0, 2 * peak) };
}
