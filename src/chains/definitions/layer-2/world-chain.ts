import { defineEvmChain } from "../../chain.ts";

export const worldChain = defineEvmChain({
  chain: "world_chain",
  chain_id: 480,
  name: "World Chain",
  explorer_url: "https://worldscan.org",
  block_time_ms: 2_000,
  finality_depth: 30,
});
