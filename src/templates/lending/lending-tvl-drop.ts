import { needsTokens } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's detector of large decreases of balance. */
export const lendingTvlDrop = defineTemplate({
  id: "lending_tvl_drop",
  category: "lending",
  name: "Value down by 20 % in an hour",
  description: "A fifth of what the market holds left within an hour.",
  target_type: "tvl",
  target_config: null,
  condition: { operator: "change_pct_lt", threshold: -20, aggregation: "last", window_seconds: 3600 },
  severity: "critical",
  for_seconds: 0,
  check: needsTokens,
});
