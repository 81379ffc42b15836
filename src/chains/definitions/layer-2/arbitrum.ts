import { defineEvmChain } from "../../chain.ts";

export const arbitrum = defineEvmChain({
  chain: "arbitrum",
  chain_id: 42161,
  name: "Arbitrum One",
  explorer_url: "https://arbiscan.io",
  block_time_ms: 250,
  finality_depth: 240,
});
