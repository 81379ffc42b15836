import { needsTokens } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Forta's detector of large balance decreases. */
export const lendingTvlDrop = defineTemplate({
  id: "lending_tvl_drop",
  category: "lending",
  name: "Market TVL down by 20 % in an hour",
  description:
    "Alerts if the total value locked in the market falls by more than 20 % within an hour, which may be an exploit or a bank run.",
  target_type: "tvl",
  target_config: null,
  condition: { operator: "change_pct_lt", threshold: -20, aggregation: "last", window_seconds: 3600 },
  severity: "critical",
  for_seconds: 0,
  check: needsTokens,
});
