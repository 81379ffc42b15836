import { defineEvmChain } from "../../chain.ts";

export const gnosis = defineEvmChain({
  chain: "gnosis",
  chain_id: 100,
  name: "Gnosis",
  currency: { name: "xDAI", symbol: "XDAI" },
  explorer_url: "https://gnosisscan.io",
  block_time_ms: 5_000,
  finality_depth: 30,
});
