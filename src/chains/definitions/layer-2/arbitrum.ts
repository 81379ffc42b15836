import { arbitrum as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const arbitrum = defineEvmChain({
  chain: "arbitrum",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 240,
});
