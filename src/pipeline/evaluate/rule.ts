import type { Aggregation } from "../../meters/meter.ts";

export type Operator =
  | "gt"
  | "gte"
  | "lt"
  | "lte"
  | "eq"
  | "neq"
  | "between"
  | "outside"
  | "change_pct_gt"
  | "change_pct_lt"
  | "changed"
  | "anomaly"
  | "absent";

/** The condition of a rule over its window. Rules with equal conditions share one. */
export type Condition = {
  readonly operator: Operator;
  /** Null for `changed` and `absent`, which compare with nothing. */
  readonly threshold: number | null;
  /** The upper bound of `between` and `outside`. */
  readonly threshold_high: number;
  readonly aggregation: Aggregation;
  readonly window_seconds: number;
};

/** A condition on the readings of one target. */
export type ConditionPart = {
  condition: Condition;
  no_data: "ignore" | "alert";
  /** Readings come at intervals, so an empty window means unknown; otherwise it means that there was no activity. */
  isPolled: boolean;
  /** The seconds without a reading after which data is missing: at least the window, and two intervals of a polled target. */
  silenceSeconds?: number;
  /** The aggregated value is an anomaly score already. */
  isScore: boolean;
  /** Block time from which absence counts: activity before the rule existed was not observed. */
  since: number;
};

/** The part of an alert rule that the engine evaluates. All times are whole seconds of block time. */
export type Rule = ConditionPart & {
  id: string;
  version: number;
  /** Each reading is evaluated individually instead of a window, and each that holds is an event. */
  isEach: boolean;
  for_seconds: number;
  resolve_after_seconds: number;
  cooldown_seconds: number;
  renotify_seconds: number | null;
  /** How the condition is combined with conditions on other targets; without any, it is `all`. */
  combines: "all" | "any";
};

/** Returns the seconds without a reading after which data is missing. */
export function silenceOf({
  silenceSeconds = 0,
  condition,
}: Pick<ConditionPart, "silenceSeconds" | "condition">): number {
  return Math.max(silenceSeconds, condition.window_seconds);
}
