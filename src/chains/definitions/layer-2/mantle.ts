import { defineEvmChain } from "../../chain.ts";

export const mantle = defineEvmChain({
  chain: "mantle",
  chain_id: 5000,
  name: "Mantle",
  currency: { name: "MNT", symbol: "MNT" },
  explorer_url: "https://mantlescan.xyz",
  block_time_ms: 2000,
  finality_depth: 30,
});
