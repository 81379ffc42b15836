import type { Chain } from "../chains/chain.ts";
import type { AbiIndex } from "../chains/evm/abi/abi.ts";
import type { Profile } from "../inspection/profile/profile.ts";
import type { Severity } from "../lib/severity.ts";
import type { Aggregation } from "../meters/meter.ts";

/** What a contract is for; a wallet is an address without code. */
export const categories = [
  ...(["lending", "dex", "bridge", "oracle", "governance"] as const),
  ...(["token", "vault", "proxy", "safe", "wallet", "other"] as const),
] as const;
export type Category = (typeof categories)[number];

/** The condition of a rule. */
export type Condition = {
  operator:
    | ("gt" | "gte" | "lt" | "lte" | "outside")
    | ("change_pct_gt" | "change_pct_lt" | "changed" | "anomaly");
  threshold?: number;
  threshold_high?: number;
  aggregation: Aggregation | "each";
  window_seconds: number;
  group_by?: string;
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
  contract_type: string;
  is_proxy: boolean | undefined;
  events: AbiIndex["events"] | undefined;
  functions: AbiIndex["functions"] | undefined;
  /** What inspections learned; undefined before the first one. */
  profile: Profile | undefined;
  targets: readonly MeasuredTarget[];
};

/** Returns why a template does not apply to a contract; undefined if it does. `target` is the existing singleton target. */
export type Check = (facts: ContractFacts, target: MeasuredTarget | undefined) => string | undefined;

/** How a template applies to one contract. */
export type Variant = {
  /** Distinguishes several rules of one template on one contract, such as those for each asset. */
  key?: string;
  /** Added to the name of the rule. */
  about?: string;
  config: Record<string, unknown>;
  condition: Condition;
  /** Where the threshold comes from, as a sentence. */
  source?: string;
};

/** A recommended rule for a category of contracts, with the target that it needs. */
export type Template = {
  /** Never renamed: rules store the id of their template. */
  id: string;
  category: Category;
  /** Further categories that list it. */
  alsoIn?: readonly Category[];
  name: string;
  description: string;
  target_type: string;
  /** Null if the config cannot be derived: the template then needs an existing target, which `check` requires. */
  target_config: Record<string, unknown> | null;
  condition: Condition;
  /** Adapts the condition to the config of an existing target. */
  conditionFor?(config: Record<string, unknown>, facts: ContractFacts): Condition;
  /** Adapts config and condition to the contract, in as many rules as it needs; undefined if nothing is known. */
  variantsFor?(facts: ContractFacts): Variant[] | undefined;
  severity: Severity;
  for_seconds: number;
  check: Check;
  /** Returns whether the template belongs to the recommended set of a contract to which it applies; by default it does not. */
  isRecommended?(facts: ContractFacts): boolean;
};

export function defineTemplate(template: Template): Template {
  return template;
}

/** For templates that are recommended wherever they apply. */
export const whereverItApplies = () => true;

/** The polling interval is one hour at most, so that a window of this length always contains a reading. */
export const stateWindowSeconds = 3600;

/** Fires once for each event. */
export const eachEvent: Condition = {
  operator: "gte",
  threshold: 1,
  aggregation: "each",
  window_seconds: 300,
};

/** Fires once for each change that a poll of the state found. */
export const eachStateChange: Condition = { ...eachEvent, window_seconds: stateWindowSeconds };
