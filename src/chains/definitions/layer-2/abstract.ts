import { defineEvmChain } from "../../chain.ts";

export const abstract = defineEvmChain({
  chain: "abstract",
  chain_id: 2741,
  name: "Abstract",
  currency: { name: "ETH", symbol: "ETH" },
  explorer_url: "https://abscan.org",
  multicall3: "0xAa4De41dba0Ca5dCBb288b7cC6b708F3aaC759E7",
  block_time_ms: 200,
  finality_depth: 30,
  quirks: ["no_bloom", "logs_of_failed_transactions", "own_header_hash"],
});
