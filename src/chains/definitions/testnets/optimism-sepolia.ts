import { defineEvmChain } from "../../chain.ts";

export const optimismSepolia = defineEvmChain({
  chain: "optimism_sepolia",
  chain_id: 11155420,
  name: "OP Sepolia",
  currency: { name: "Sepolia Ether", symbol: "ETH" },
  explorer_url: "https://optimism-sepolia.blockscout.com",
  is_testnet: true,
  block_time_ms: 2_000,
  finality_depth: 30,
});
