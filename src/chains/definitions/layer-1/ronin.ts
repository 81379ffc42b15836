import { defineEvmChain } from "../../chain.ts";

export const ronin = defineEvmChain({
  chain: "ronin",
  chain_id: 2020,
  name: "Ronin",
  currency: { name: "RON", symbol: "RON" },
  explorer_url: "https://app.roninchain.com",
  block_time_ms: 3000,
  finality_depth: 30,
});
