import { defineEvmChain } from "../../chain.ts";

export const blast = defineEvmChain({
  chain: "blast",
  chain_id: 81457,
  name: "Blast",
  explorer_url: "https://blastscan.io",
  block_time_ms: 2_000,
  finality_depth: 30,
});
