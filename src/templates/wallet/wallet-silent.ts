import { defineTemplate, stateWindowSeconds, whereverItApplies } from "../template.ts";

/** Quiet until the wallet has shown a rhythm: an irregular one has none. */
export const walletSilent = defineTemplate({
  id: "wallet_silent",
  category: "wallet",
  name: "Wallet stopped its regular transactions",
  description:
    "Alerts if a wallet that sends transactions at regular intervals, such as a keeper or relayer, is silent for three of them. The interval is learned from its transactions; there is no alert before eight of them.",
  target_type: "activity_rhythm",
  target_config: { direction: "from" },
  condition: { operator: "gt", threshold: 3, aggregation: "last", window_seconds: stateWindowSeconds },
  severity: "critical",
  for_seconds: 0,
  check: ({ contract_type, profile }) =>
    contract_type === "wallet" || !profile
      ? undefined
      : "The address is a contract, which sends no transactions of its own.",
  isRecommended: whereverItApplies,
});
