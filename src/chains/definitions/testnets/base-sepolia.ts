import { baseSepolia as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const baseSepolia = defineEvmChain({
  chain: "base_sepolia",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
});
