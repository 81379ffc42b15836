import { mantle as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const mantle = defineEvmChain({
  chain: "mantle",
  from: facts,
  block_time_ms: 2000,
  finality_depth: 30,
});
