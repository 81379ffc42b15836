import { defineEvmChain } from "../../chain.ts";

export const plasma = defineEvmChain({
  chain: "plasma",
  chain_id: 9745,
  name: "Plasma",
  currency: { name: "Plasma", symbol: "XPL" },
  explorer_url: "https://plasmascan.to",
  block_time_ms: 1_000,
  finality_depth: 30,
});
