import { defineEvmChain } from "../../chain.ts";

export const soneium = defineEvmChain({
  chain: "soneium",
  chain_id: 1868,
  name: "Soneium Mainnet",
  explorer_url: "https://soneium.blockscout.com",
  block_time_ms: 2_000,
  finality_depth: 30,
});
