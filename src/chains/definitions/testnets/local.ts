import { hardhat } from "viem/chains";
import { type Chain, defineEvmChain } from "../../chain.ts";

/** Any development node: Hardhat, Anvil, Ganache. */
export const local: Chain = {
  ...defineEvmChain({
    chain: "local",
    from: hardhat,
    block_time_ms: 1000,
    finality_depth: 2,
    alwaysProducesBlocks: false,
  }),
  name: "Local development node",
  is_testnet: true,
};
