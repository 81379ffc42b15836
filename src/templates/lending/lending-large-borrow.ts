import { needsEvent } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/**
 * Source: Forta's large borrow detector. Uses the event of single-asset markets, because amounts of different assets cannot be
 * compared.
 */
export const lendingLargeBorrow = defineTemplate({
  id: "lending_large_borrow",
  category: "lending",
  name: "Unusually large borrow",
  description:
    "Alerts if the largest borrow within ten minutes deviates far from the usual size in this market, which may precede an exploit.",
  target_type: "event_value",
  target_config: {
    event_signature:
      "Borrow(address borrower, uint256 borrowAmount, uint256 accountBorrows, uint256 totalBorrows)",
    arg: "borrowAmount",
  },
  condition: { operator: "anomaly", threshold: 10, aggregation: "max", window_seconds: 600 },
  severity: "warning",
  for_seconds: 0,
  check: needsEvent("Borrow(address,uint256,uint256,uint256)"),
});
