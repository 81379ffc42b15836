import { defineEvmChain } from "../../chain.ts";

export const optimism = defineEvmChain({
  chain: "optimism",
  chain_id: 10,
  name: "OP Mainnet",
  explorer_url: "https://optimistic.etherscan.io",
  block_time_ms: 2_000,
  finality_depth: 30,
});
