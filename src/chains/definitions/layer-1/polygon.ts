import { polygon as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const polygon = defineEvmChain({
  chain: "polygon",
  from: facts,
  block_time_ms: facts.blockTime,
  finality_depth: 200,
  quirks: ["logs_beyond_bloom", "unlisted_transactions"],
});
