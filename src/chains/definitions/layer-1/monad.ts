import { defineEvmChain } from "../../chain.ts";

export const monad = defineEvmChain({
  chain: "monad",
  chain_id: 143,
  name: "Monad",
  currency: { name: "Monad", symbol: "MON" },
  explorer_url: "https://monadscan.com",
  block_time_ms: 400,
  finality_depth: 30,
});
