import { defineEvmChain } from "../../chain.ts";

export const mode = defineEvmChain({
  chain: "mode",
  chain_id: 34443,
  name: "Mode Mainnet",
  explorer_url: "https://modescan.io",
  block_time_ms: 2_000,
  finality_depth: 30,
});
