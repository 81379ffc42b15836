import { sepolia as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const sepolia = defineEvmChain({
  chain: "sepolia",
  from: facts,
  block_time_ms: 12_000,
  finality_depth: 65,
});
