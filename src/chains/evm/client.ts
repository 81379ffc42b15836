import type { ChainClient } from "../chain-client.ts";
import type { ClientOptions } from "../family.ts";
import { inParallel } from "../rpc/in-parallel.ts";
import { makeEvmReader } from "./reader.ts";

const maxParallelHeaders = 8;

/** Opens a client that never waits for new heads. */
export function openEvmClient(options: ClientOptions): ChainClient {
  const reader = makeEvmReader({ ...options, isForRequests: true });
  return {
    chain: options.chain,
    async pinLatestBlock() {
      const block = await reader.head();
      return { block, read: (reads) => reader.read([...reads], block) };
    },
    logs: reader.findLogs,
    async transactions(from, to) {
      const blocks = await reader.blocks(from, to, { receipts: false });
      return blocks.flatMap(({ height, time, transactions }) =>
        transactions.map(({ hash, from: sender, to: receiver, nonce }) => {
          return { hash, from: sender, to: receiver, nonce, height, time };
        }),
      );
    },
    blockTimes: (heights) =>
      inParallel(maxParallelHeaders, heights, async (height) => (await reader.blockRef(height))?.time),
    close: reader.close,
  };
}
