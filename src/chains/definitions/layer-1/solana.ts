import type { Chain } from "../../chain.ts";

export const solana: Chain = {
  chain: "solana",
  // ASCII "SolM": Solana has no chain id of its own, and no EVM chain uses this one.
  chain_id: 1399811149,
  name: "Solana",
  kind: "solana",
  native_currency: { name: "Sol", symbol: "SOL", decimals: 9 },
  explorer_url: "https://explorer.solana.com",
  block_time_ms: 400,
  finality_depth: 32,
  is_testnet: false,
  multicall3: null,
  quirks: [],
  alwaysProducesBlocks: true,
};
