import { defineEvmChain } from "../../chain.ts";

export const zksync = defineEvmChain({
  chain: "zksync",
  chain_id: 324,
  name: "ZKsync Era",
  explorer_url: "https://explorer.zksync.io",
  multicall3: "0xF9cda624FBC7e059355ce98a31693d299FACd963",
  block_time_ms: 200,
  finality_depth: 30,
  quirks: ["no_bloom", "logs_of_failed_transactions", "own_header_hash"],
});
