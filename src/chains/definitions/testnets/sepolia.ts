import { defineEvmChain } from "../../chain.ts";

export const sepolia = defineEvmChain({
  chain: "sepolia",
  chain_id: 11155111,
  name: "Sepolia",
  currency: { name: "Sepolia Ether", symbol: "ETH" },
  explorer_url: "https://sepolia.etherscan.io",
  is_testnet: true,
  block_time_ms: 12_000,
  finality_depth: 65,
});
