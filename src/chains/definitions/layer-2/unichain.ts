import { unichain as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const unichain = defineEvmChain({
  chain: "unichain",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
});
