import { soneium as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const soneium = defineEvmChain({
  chain: "soneium",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
});
