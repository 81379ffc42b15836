import { worldchain as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const worldChain = defineEvmChain({
  chain: "world_chain",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
});
