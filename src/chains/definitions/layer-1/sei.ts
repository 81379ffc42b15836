import { defineEvmChain } from "../../chain.ts";

// Final in one slot; the depth only covers a node that answers early.
export const sei = defineEvmChain({
  chain: "sei",
  chain_id: 1329,
  name: "Sei Network",
  currency: { name: "Sei", symbol: "SEI" },
  explorer_url: "https://seiscan.io",
  block_time_ms: 400,
  finality_depth: 5,
  quirks: ["gas_without_transactions", "log_index_gaps", "unlisted_transactions", "own_header_hash"],
});
