import { monad as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const monad = defineEvmChain({
  chain: "monad",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
});
