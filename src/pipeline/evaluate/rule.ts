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

/** When a rule's window is wrong. */
export type Condition = {
  operator: Operator;
  threshold: number;
  /** The upper bound of `between` and `outside`. */
  threshold_high: number;
  aggregation: Aggregation;
  window_seconds: number;
};

/** The part of an alert rule that decides, as the engine keeps it. Whole seconds of block time throughout. */
export type Rule = {
  id: string;
  version: number;
  condition: Condition;
  for_seconds: number;
  resolve_after_seconds: number;
  cooldown_seconds: number;
  renotify_seconds: number | null;
  no_data: "ignore" | "alert";
  /** Whether readings come by the clock, so that having none means not knowing; otherwise it means that nothing happened. */
  isPolled: boolean;
  /** Whether what it judges says by itself how unusual something is. */
  isScore: boolean;
  /** Block time from which silence counts: a rule cannot miss what was before it. */
  since: number;
};
