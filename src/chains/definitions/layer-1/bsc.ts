import { defineEvmChain } from "../../chain.ts";

export const bsc = defineEvmChain({
  chain: "bsc",
  chain_id: 56,
  name: "BNB Smart Chain",
  currency: { name: "BNB", symbol: "BNB" },
  explorer_url: "https://bscscan.com",
  block_time_ms: 750,
  finality_depth: 30,
});
