import { bsc as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const bsc = defineEvmChain({
  chain: "bsc",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
});
