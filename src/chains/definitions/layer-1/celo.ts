import { defineEvmChain } from "../../chain.ts";

export const celo = defineEvmChain({
  chain: "celo",
  chain_id: 42220,
  name: "Celo",
  currency: { name: "CELO", symbol: "CELO" },
  explorer_url: "https://celoscan.io",
  block_time_ms: 1_000,
  finality_depth: 30,
  quirks: ["logs_of_failed_transactions"],
});
