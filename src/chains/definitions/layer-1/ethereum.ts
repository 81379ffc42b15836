import { mainnet as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const ethereum = defineEvmChain({
  chain: "ethereum",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 65,
});
