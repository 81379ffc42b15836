import { defineEvmChain } from "../../chain.ts";

export const linea = defineEvmChain({
  chain: "linea",
  chain_id: 59144,
  name: "Linea Mainnet",
  currency: { name: "Linea Ether", symbol: "ETH" },
  explorer_url: "https://lineascan.build",
  block_time_ms: 2_000,
  finality_depth: 30,
});
