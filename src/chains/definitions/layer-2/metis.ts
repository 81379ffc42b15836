import { metis as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const metis = defineEvmChain({
  chain: "metis",
  from: facts,
  block_time_ms: 2000,
  finality_depth: 30,
});
