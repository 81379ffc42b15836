import { defineEvmChain } from "../../chain.ts";

/** The world that runs beside a service without any other chain. */
export const demo = defineEvmChain({
  chain: "demo",
  chain_id: 731_337,
  name: "Demo",
  explorer_url: null,
  is_testnet: true,
  multicall3: null,
  block_time_ms: 2_000,
  finality_depth: 16,
});
