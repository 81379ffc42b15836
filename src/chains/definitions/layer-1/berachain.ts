import { berachain as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

// CometBFT: a produced block is final; the depth only covers a node that answers early.
export const berachain = defineEvmChain({
  chain: "berachain",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 3,
});
