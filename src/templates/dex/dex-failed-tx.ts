import { always } from "../checks.ts";
import { defineTemplate } from "../template.ts";

/** Source: Tenderly's failed transaction alerts. */
export const dexFailedTx = defineTemplate({
  id: "dex_failed_tx",
  category: "dex",
  alsoIn: ["lending", "bridge", "token", "vault", "proxy", "other"],
  name: "High rate of failed transactions",
  description:
    "Alerts if more than 60 % of at least 15 transactions to the contract fail within ten minutes, which may be an attack or a defect.",
  target_type: "revert_rate",
  target_config: { min_txs: 15 },
  condition: { operator: "gt", threshold: 0.6, aggregation: "last", window_seconds: 600 },
  severity: "warning",
  for_seconds: 0,
  check: always,
  // On Solana, many transactions of bots fail as usual, and each transaction of a program takes a call to read.
  isRecommended: ({ kind, contract_type }) => kind !== "solana" && contract_type !== "wallet",
});
