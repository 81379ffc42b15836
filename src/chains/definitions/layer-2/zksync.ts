import { zksync as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const zksync = defineEvmChain({
  chain: "zksync",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 30,
  quirks: ["no_bloom", "logs_of_failed_transactions"],
});
