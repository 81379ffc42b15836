import { sei as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

// Final in one slot; the depth only covers a node that answers early.
export const sei = defineEvmChain({
  chain: "sei",
  from: facts,
  block_time_ms: 400,
  finality_depth: 5,
  quirks: ["gas_without_transactions", "log_index_gaps", "unlisted_transactions"],
});
