import { sonic as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

// Final after one round; the depth only covers a node that answers early.
export const sonic = defineEvmChain({
  chain: "sonic",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 5,
});
