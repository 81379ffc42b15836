import type { Chain } from "../../src/chains/chain.ts";
import { multicall3 } from "./call.ts";

/** The definition of the simulated chain. */
export const simulatedChain: Chain = {
  chain: "simulated",
  chain_id: 31_337,
  name: "Simulated",
  kind: "evm",
  native_currency: { name: "Ether", symbol: "ETH", decimals: 18 },
  explorer_url: null,
  block_time_ms: 1000,
  finality_depth: 8,
  is_testnet: true,
  multicall3,
  quirks: [],
  alwaysProducesBlocks: false,
};
