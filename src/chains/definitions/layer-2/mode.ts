import { mode as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const mode = defineEvmChain({
  chain: "mode",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
});
