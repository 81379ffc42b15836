import type { Chain } from "../chains/chain.ts";
import type { AbiIndex } from "../chains/evm/abi/abi.ts";
import type { Aggregation } from "../meters/meter.ts";

export const categories = ["lending", "dex", "bridge", "oracle", "governance"] as const;
export type Category = (typeof categories)[number];

/** When a window is wrong, as a rule says it. */
export type Condition = {
  operator: "gt" | "gte" | "lt" | "outside" | "change_pct_gt" | "change_pct_lt" | "changed" | "anomaly";
  threshold?: number;
  threshold_high?: number;
  aggregation: Aggregation;
  window_seconds: number;
};

/** Something that is measured on the contract already. */
export type MeasuredTarget = {
  target_type: string;
  config: Record<string, unknown>;
  last_value: number | null;
};

/** What is known of a contract. Undefined is not known yet, which is never a reason against a template. */
export type ContractFacts = {
  kind: Chain["kind"];
  is_proxy: boolean | undefined;
  events: AbiIndex["events"] | undefined;
  functions: AbiIndex["functions"] | undefined;
  targets: readonly MeasuredTarget[];
};

/** Why a template cannot work on a contract; undefined when it can. `target` is the one of its type, where there is only one. */
export type Check = (facts: ContractFacts, target: MeasuredTarget | undefined) => string | undefined;

/** A rule worth having on contracts of a kind, with the target that it needs. */
export type Template = {
  /** Never renamed: rules remember where they come from by it. */
  id: string;
  category: Category;
  name: string;
  description: string;
  target_type: string;
  /** Null where only a person can say it: the template then works on a target that is there, and `check` asks for it. */
  target_config: Record<string, unknown> | null;
  condition: Condition;
  /** The condition on a target that was set up in another way. */
  conditionFor?(config: Record<string, unknown>): Condition;
  severity: "info" | "warning" | "critical";
  for_seconds: number;
  check: Check;
};

export function defineTemplate(template: Template): Template {
  return template;
}

/** State is read at the org's interval, an hour at the most, so that a window of this length always holds a reading. */
export const stateWindowSeconds = 3600;
