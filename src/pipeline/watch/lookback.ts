import type { WatchedRule } from "./watch-list.ts";

/** An anomaly is scored against the day before. */
const anomalySeconds = 25 * 60 * 60;

/** Returns how many seconds of block time the evaluation of a rule's own condition looks back on. */
export function lookbackSeconds(rule: Pick<WatchedRule, "condition" | "isEach">): number {
  return rule.isEach ? 0 : lookbackOf(rule);
}

/** Returns how many seconds of block time the evaluation of a condition looks back on. */
export function lookbackOf({ condition }: Pick<WatchedRule, "condition">): number {
  return condition.operator === "anomaly"
    ? Math.max(anomalySeconds, condition.window_seconds * 2)
    : condition.window_seconds;
}
