import { abstract as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const abstract = defineEvmChain({
  chain: "abstract",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
  quirks: ["no_bloom", "logs_of_failed_transactions"],
});
