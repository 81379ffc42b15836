import { defineEvmChain } from "../../chain.ts";

// Blocks come every second; viem keeps the older two.
export const ink = defineEvmChain({
  chain: "ink",
  chain_id: 57073,
  name: "Ink",
  explorer_url: "https://explorer.inkonchain.com",
  block_time_ms: 1000,
  finality_depth: 30,
});
