import { zora as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const zora = defineEvmChain({
  chain: "zora",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
});
