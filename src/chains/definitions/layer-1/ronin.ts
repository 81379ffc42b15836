import { ronin as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const ronin = defineEvmChain({
  chain: "ronin",
  from: facts,
  block_time_ms: 3000,
  finality_depth: 30,
});
