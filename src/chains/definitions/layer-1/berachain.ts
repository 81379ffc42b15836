import { defineEvmChain } from "../../chain.ts";

// CometBFT: a produced block is final; the depth only covers a node that answers early.
export const berachain = defineEvmChain({
  chain: "berachain",
  chain_id: 80094,
  name: "Berachain",
  currency: { name: "BERA Token", symbol: "BERA" },
  explorer_url: "https://berascan.com",
  block_time_ms: 2_000,
  finality_depth: 3,
});
