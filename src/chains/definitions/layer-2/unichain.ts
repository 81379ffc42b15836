import { defineEvmChain } from "../../chain.ts";

export const unichain = defineEvmChain({
  chain: "unichain",
  chain_id: 130,
  name: "Unichain",
  explorer_url: "https://uniscan.xyz",
  block_time_ms: 1_000,
  finality_depth: 30,
});
