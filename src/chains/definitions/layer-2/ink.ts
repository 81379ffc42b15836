import { ink as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

// Blocks come every second; viem keeps the older two.
export const ink = defineEvmChain({
  chain: "ink",
  from: facts,
  block_time_ms: 1000,
  finality_depth: 30,
});
