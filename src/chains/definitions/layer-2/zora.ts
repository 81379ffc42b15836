import { defineEvmChain } from "../../chain.ts";

export const zora = defineEvmChain({
  chain: "zora",
  chain_id: 7777777,
  name: "Zora",
  explorer_url: "https://explorer.zora.energy",
  block_time_ms: 2_000,
  finality_depth: 30,
});
