import { defineEvmChain } from "../../chain.ts";

export const ethereum = defineEvmChain({
  chain: "ethereum",
  chain_id: 1,
  name: "Ethereum",
  explorer_url: "https://etherscan.io",
  block_time_ms: 12_000,
  finality_depth: 65,
});
