import { plasma as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const plasma = defineEvmChain({
  chain: "plasma",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
});
