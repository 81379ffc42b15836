import { defineEvmChain } from "../../chain.ts";

export const polygon = defineEvmChain({
  chain: "polygon",
  chain_id: 137,
  name: "Polygon",
  currency: { name: "POL", symbol: "POL" },
  explorer_url: "https://polygonscan.com",
  block_time_ms: 2_000,
  finality_depth: 200,
  quirks: ["logs_beyond_bloom", "unlisted_transactions"],
});
