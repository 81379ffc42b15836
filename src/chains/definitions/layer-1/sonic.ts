import { defineEvmChain } from "../../chain.ts";

// Final after one round; the depth only covers a node that answers early.
export const sonic = defineEvmChain({
  chain: "sonic",
  chain_id: 146,
  name: "Sonic",
  currency: { name: "Sonic", symbol: "S" },
  explorer_url: "https://sonicscan.org",
  block_time_ms: 630,
  finality_depth: 5,
});
