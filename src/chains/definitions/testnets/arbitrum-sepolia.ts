import { arbitrumSepolia as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const arbitrumSepolia = defineEvmChain({
  chain: "arbitrum_sepolia",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 240,
});
