import { optimismSepolia as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const optimismSepolia = defineEvmChain({
  chain: "optimism_sepolia",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
});
