import { defineEvmChain } from "../../chain.ts";

export const base = defineEvmChain({
  chain: "base",
  chain_id: 8453,
  name: "Base",
  explorer_url: "https://basescan.org",
  block_time_ms: 2_000,
  finality_depth: 30,
});
