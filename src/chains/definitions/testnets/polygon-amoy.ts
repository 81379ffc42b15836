import { defineEvmChain } from "../../chain.ts";

export const polygonAmoy = defineEvmChain({
  chain: "polygon_amoy",
  chain_id: 80002,
  name: "Polygon Amoy",
  currency: { name: "POL", symbol: "POL" },
  explorer_url: "https://amoy.polygonscan.com",
  is_testnet: true,
  block_time_ms: 2000,
  finality_depth: 200,
  quirks: ["logs_beyond_bloom", "unlisted_transactions"],
});
