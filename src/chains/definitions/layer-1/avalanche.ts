import { avalanche as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

// An accepted block is final; the depth only covers a node that answers early.
export const avalanche = defineEvmChain({
  chain: "avalanche",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 3,
});
