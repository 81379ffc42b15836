import type { Condition, ContractFacts, Variant } from "../template.ts";

/** The rule for an oracle without rounds; undefined for a feed, whose price needs no config. */
export function priceVariants({ profile }: ContractFacts, condition: Condition): Variant[] | undefined {
  const source = profile?.price_source;
  return source ? [{ config: source, condition }] : undefined;
}
