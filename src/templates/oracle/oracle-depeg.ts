import { needsFunction } from "../checks.ts";
import { type Check, defineTemplate, stateWindowSeconds } from "../template.ts";

/** Whether something is meant to be worth 1 shows by its price; a feed that was never read could be of anything. */
const isNearOne: Check = (facts, target) => {
  const reason = needsFunction("latestRoundData()")(facts, target);
  if (reason) return reason;
  const price = target?.last_value ?? null;
  if (price === null)
    return "The price was not read yet. Have it measured by an oracle_price target, and apply this again.";
  return price > 0.9 && price < 1.1 ? undefined : `The price is ${price}, which is not near 1.`;
};

/** Threshold: usual checks of pegs. */
export const oracleDepeg = defineTemplate({
  id: "oracle_depeg",
  category: "oracle",
  name: "Off its peg",
  description: "The price of something that should be worth 1 is below 0.98 or above 1.02.",
  target_type: "oracle_price",
  target_config: {},
  condition: {
    operator: "outside",
    threshold: 0.98,
    threshold_high: 1.02,
    aggregation: "last",
    window_seconds: stateWindowSeconds,
  },
  severity: "critical",
  for_seconds: 300,
  check: isNearOne,
});
