import { defineEvmChain } from "../../chain.ts";

/** Any development node: Hardhat, Anvil, Ganache. */
export const local = defineEvmChain({
  chain: "local",
  chain_id: 31_337,
  name: "Local development node",
  explorer_url: null,
  is_testnet: true,
  multicall3: null,
  block_time_ms: 1_000,
  finality_depth: 2,
  alwaysProducesBlocks: false,
});
