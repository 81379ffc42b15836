import { needsFeed } from "../checks.ts";
import { type Check, defineTemplate, stateWindowSeconds } from "../template.ts";

/** The price shows if an asset is pegged to 1. Without a reading, the feed may be of any asset. */
const isNearOne: Check = (facts, target) => {
  const reason = needsFeed(facts, target);
  if (reason) return reason;
  const price = target?.last_value ?? facts.profile?.feed?.price ?? null;
  if (price === null)
    return "The price was not read yet. Add an oracle_price target, wait for its first reading and apply the template again.";
  return price > 0.9 && price < 1.1
    ? undefined
    : `The price is ${price}, which is not near 1, so the asset is not pegged to 1.`;
};

/** Threshold: common depeg monitors. */
export const oracleDepeg = defineTemplate({
  id: "oracle_depeg",
  category: "oracle",
  name: "Peg lost",
  description: "Alerts if the price of an asset pegged to 1 is below 0.98 or above 1.02.",
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
  for_seconds: 0,
  check: isNearOne,
  // A price above the band is that of a currency: the euro was at 1.02 to 1.1 for years. An asset loses its peg downwards.
  isRecommended: ({ profile, targets }) => {
    const measured = targets.find(({ target_type }) => target_type === "oracle_price")?.last_value;
    return (measured ?? profile?.feed?.price ?? 1) <= 1.02;
  },
});
