import { celo as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const celo = defineEvmChain({
  chain: "celo",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
  quirks: ["logs_of_failed_transactions"],
});
