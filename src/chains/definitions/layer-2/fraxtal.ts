import { fraxtal as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const fraxtal = defineEvmChain({
  chain: "fraxtal",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
});
