import { defineEvmChain } from "../../chain.ts";

export const moonbeam = defineEvmChain({
  chain: "moonbeam",
  chain_id: 1284,
  name: "Moonbeam",
  currency: { name: "Moonbeam", symbol: "GLMR" },
  explorer_url: "https://moonscan.io",
  block_time_ms: 6000,
  finality_depth: 30,
});
