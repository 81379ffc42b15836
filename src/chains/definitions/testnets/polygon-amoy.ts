import { polygonAmoy as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

export const polygonAmoy = defineEvmChain({
  chain: "polygon_amoy",
  from: facts,
  block_time_ms: 2000,
  finality_depth: 200,
  quirks: ["logs_beyond_bloom", "unlisted_transactions"],
});
