import { linea as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const linea = defineEvmChain({
  chain: "linea",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
});
