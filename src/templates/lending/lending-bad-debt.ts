import { needsFunction } from "../checks.ts";
import { type Check, defineTemplate, stateWindowSeconds } from "../template.ts";

/** A market of Compound III is told by having both. */
const hasCometReserves: Check = (facts, target) =>
  needsFunction("getReserves()")(facts, target) ?? needsFunction("getUtilization()")(facts, target);

/** Source: yearn's monitors of Compound III. The pools of Uniswap V2 have a function of that name too. */
export const lendingBadDebt = defineTemplate({
  id: "lending_bad_debt",
  category: "lending",
  name: "Reserves below zero",
  description: "The market owes more than it holds: bad debt has eaten its reserves.",
  target_type: "view_function",
  target_config: { signature: "getReserves() view returns (int256)" },
  condition: { operator: "lt", threshold: 0, aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 0,
  check: hasCometReserves,
});
