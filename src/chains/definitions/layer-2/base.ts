import { base as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const base = defineEvmChain({
  chain: "base",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
});
