import { moonbeam as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const moonbeam = defineEvmChain({
  chain: "moonbeam",
  from: facts,
  block_time_ms: 6000,
  finality_depth: 30,
});
