import { gnosis as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const gnosis = defineEvmChain({
  chain: "gnosis",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
});
