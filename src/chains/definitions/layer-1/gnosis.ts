import { defineEvmChain } from "../../chain.ts";

export const gnosis = defineEvmChain({
  chain: "gnosis",
  chain_id: 100,
  name: "Gnosis",
  currency: { name: "xDAI", symbol: "XDAI" },
  explorer_url: "https://gnosisscan.io",
  block_time_ms: 5_000,
  // Two epochs of 16 slots, and one block.
  finality_depth: 33,
});
