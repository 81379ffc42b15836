import { blast as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const blast = defineEvmChain({
  chain: "blast",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
});
