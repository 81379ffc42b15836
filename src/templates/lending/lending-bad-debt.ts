import { needsFunction } from "../checks.ts";
import { type Check, defineTemplate, stateWindowSeconds, whereverItApplies } from "../template.ts";

/** Only Compound III markets have both functions: Uniswap V2 pairs have getReserves() too. */
const hasCometReserves: Check = (facts, target) =>
  needsFunction("getReserves()")(facts, target) ?? needsFunction("getUtilization()")(facts, target);

/** Source: yearn's Compound III monitors. */
export const lendingBadDebt = defineTemplate({
  id: "lending_bad_debt",
  category: "lending",
  name: "Negative reserves",
  description:
    "Alerts if the reserves of the market are negative: bad debt exceeds them, and lenders may not be repaid in full.",
  target_type: "view_function",
  target_config: { signature: "getReserves() view returns (int256)" },
  condition: { operator: "lt", threshold: 0, aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 0,
  check: hasCometReserves,
  isRecommended: whereverItApplies,
});
