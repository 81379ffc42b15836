import { optimism as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const optimism = defineEvmChain({
  chain: "optimism",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
});
