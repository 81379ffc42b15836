import { defineEvmChain } from "../../chain.ts";

export const arbitrumSepolia = defineEvmChain({
  chain: "arbitrum_sepolia",
  chain_id: 421614,
  name: "Arbitrum Sepolia",
  currency: { name: "Arbitrum Sepolia Ether", symbol: "ETH" },
  explorer_url: "https://sepolia.arbiscan.io",
  is_testnet: true,
  block_time_ms: 250,
  finality_depth: 240,
});
