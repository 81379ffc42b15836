import type { Chain } from "../chains/chain.ts";
import type { AbiIndex } from "../chains/evm/abi/abi.ts";
import type { Aggregation } from "../meters/meter.ts";

export const categories = ["lending", "dex", "bridge", "oracle", "governance"] as const;
export type Category = (typeof categories)[number];

/** The condition of a rule. */
export type Condition = {
  operator: "gt" | "gte" | "lt" | "outside" | "change_pct_gt" | "change_pct_lt" | "changed" | "anomaly";
  threshold?: number;
  threshold_high?: number;
  aggregation: Aggregation | "each";
  window_seconds: number;
};

/** An existing target of the contract. */
export type MeasuredTarget = {
  target_type: string;
  config: Record<string, unknown>;
  last_value: number | null;
};

/** The known facts of a contract. Undefined means unknown, which never rules a template out. */
export type ContractFacts = {
  kind: Chain["kind"];
  is_proxy: boolean | undefined;
  events: AbiIndex["events"] | undefined;
  functions: AbiIndex["functions"] | undefined;
  targets: readonly MeasuredTarget[];
};

/** Returns why a template does not apply to a contract; undefined if it does. `target` is the existing singleton target. */
export type Check = (facts: ContractFacts, target: MeasuredTarget | undefined) => string | undefined;

/** A recommended rule for a category of contracts, with the target that it needs. */
export type Template = {
  /** Never renamed: rules store the id of their template. */
  id: string;
  category: Category;
  name: string;
  description: string;
  target_type: string;
  /** Null if the config cannot be derived: the template then needs an existing target, which `check` requires. */
  target_config: Record<string, unknown> | null;
  condition: Condition;
  /** Adapts the condition to the config of an existing target. */
  conditionFor?(config: Record<string, unknown>): Condition;
  severity: "info" | "warning" | "critical";
  for_seconds: number;
  check: Check;
};

export function defineTemplate(template: Template): Template {
  return template;
}

/** The polling interval is one hour at most, so that a window of this length always contains a reading. */
export const stateWindowSeconds = 3600;
