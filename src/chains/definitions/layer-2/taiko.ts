import { defineEvmChain } from "../../chain.ts";

// A based rollup: it is reorganised whenever Ethereum is, hence Ethereum's depth.
export const taiko = defineEvmChain({
  chain: "taiko",
  chain_id: 167000,
  name: "Taiko Mainnet",
  explorer_url: "https://taikoscan.io",
  block_time_ms: 12_000,
  finality_depth: 65,
});
