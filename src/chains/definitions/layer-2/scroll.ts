import { defineEvmChain } from "../../chain.ts";

export const scroll = defineEvmChain({
  chain: "scroll",
  chain_id: 534352,
  name: "Scroll",
  explorer_url: "https://scrollscan.com",
  block_time_ms: 3_000,
  finality_depth: 30,
});
