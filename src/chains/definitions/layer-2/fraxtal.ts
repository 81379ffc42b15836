import { defineEvmChain } from "../../chain.ts";

export const fraxtal = defineEvmChain({
  chain: "fraxtal",
  chain_id: 252,
  name: "Fraxtal",
  currency: { name: "Frax", symbol: "FRAX" },
  explorer_url: "https://fraxscan.com",
  block_time_ms: 2_000,
  finality_depth: 30,
});
