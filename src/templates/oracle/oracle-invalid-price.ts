import { needsPrice } from "../checks.ts";
import { type Condition, defineTemplate, stateWindowSeconds, whereverItApplies } from "../template.ts";
import { priceVariants } from "./price-source.ts";

const condition: Condition = {
  operator: "lte",
  threshold: 0,
  aggregation: "last",
  window_seconds: stateWindowSeconds,
};

/** Contracts that do not check the sign of a price take any collateral for worthless, or any debt. */
export const oracleInvalidPrice = defineTemplate({
  id: "oracle_invalid_price",
  category: "oracle",
  name: "Price zero or negative",
  description: "Alerts at once if the feed returns a price of zero or less, which no asset has.",
  target_type: "oracle_price",
  target_config: {},
  condition,
  variantsFor: (facts) => priceVariants(facts, condition),
  severity: "critical",
  for_seconds: 0,
  check: needsPrice,
  isRecommended: whereverItApplies,
});
