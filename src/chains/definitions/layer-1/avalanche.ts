import { defineEvmChain } from "../../chain.ts";

// An accepted block is final; the depth only covers a node that answers early.
export const avalanche = defineEvmChain({
  chain: "avalanche",
  chain_id: 43114,
  name: "Avalanche",
  currency: { name: "Avalanche", symbol: "AVAX" },
  explorer_url: "https://snowtrace.io",
  block_time_ms: 1_700,
  finality_depth: 3,
  // Headers have further fields, such as the hash of what the other chains of the network sent.
  quirks: ["own_header_hash"],
});
