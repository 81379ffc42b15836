import { needsFunction } from "../checks.ts";
import type { Check, Condition, ContractFacts, Variant } from "../template.ts";

const hasPrice = needsFunction("slot0()");

/** Requires a pool whose price can be read. Without an inspection, only Uniswap V3 pools are recognised by a function. */
export const needsPriceOfPool: Check = (facts, target) => {
  const kind = facts.profile?.pool?.kind;
  if (kind === "curve") return "The assets of the pool have equal value; monitor its imbalance instead.";
  return kind ? undefined : hasPrice(facts, target);
};

export function poolPriceVariants({ profile }: ContractFacts, condition: Condition): Variant[] | undefined {
  const pool = profile?.pool;
  if (!pool || pool.kind === "curve") return undefined;
  return [{ config: { pool_kind: pool.kind, decimals: pool.decimals }, condition }];
}

export function within5Minutes(operator: Condition["operator"], threshold: number): Condition {
  return { operator, threshold, aggregation: "last", window_seconds: 300 };
}
