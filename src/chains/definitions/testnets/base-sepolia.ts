import { defineEvmChain } from "../../chain.ts";

export const baseSepolia = defineEvmChain({
  chain: "base_sepolia",
  chain_id: 84532,
  name: "Base Sepolia",
  currency: { name: "Sepolia Ether", symbol: "ETH" },
  explorer_url: "https://sepolia.basescan.org",
  is_testnet: true,
  block_time_ms: 2_000,
  finality_depth: 30,
});
