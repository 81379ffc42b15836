import { defineEvmChain } from "../../chain.ts";

export const metis = defineEvmChain({
  chain: "metis",
  chain_id: 1088,
  name: "Metis",
  currency: { name: "Metis", symbol: "METIS" },
  explorer_url: "https://explorer.metis.io",
  block_time_ms: 2000,
  finality_depth: 30,
});
