import { taiko as facts } from "viem/chains";
import { defineEvmChain } from "../../chain.ts";

// A based rollup: it is reorganised whenever Ethereum is, hence Ethereum's depth.
export const taiko = defineEvmChain({
  chain: "taiko",
  from: facts,
  block_time_ms: 12_000,
  finality_depth: 65,
});
