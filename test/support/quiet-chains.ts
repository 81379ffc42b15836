import type { ChainClients } from "../../src/chains/chain-client.ts";

/** Chains on which every address has code that does nothing: no call is answered, no slot is set, nothing ever happened. */
export const quietChains: ChainClients = {
  // A worker thread of a busy machine may take long to load its code.
  maxRequestMs: 300_000,
  clientFor: (chain) => ({
    chain,
    pinLatestBlock: async () => ({
      block: {
        height: 100,
        hash: `0x${"1".repeat(64)}`,
        parent_hash: `0x${"0".repeat(64)}`,
        time: 1_700_000_000,
      },
      read: async (reads) => reads.map(({ kind }) => ({ ok: true, data: kind === "code" ? "0x00" : "0x" })),
    }),
    logs: async ({ from }) => ({ logs: [], searched_from: from, is_complete: true }),
    transactions: async () => [],
    blockTimes: async (heights) => heights.map(() => undefined),
    close: async () => undefined,
  }),
  close: async () => undefined,
};
