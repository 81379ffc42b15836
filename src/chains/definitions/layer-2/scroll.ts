import { scroll as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const scroll = defineEvmChain({
  chain: "scroll",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
});
