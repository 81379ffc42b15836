import type { ChainClient } from "../chain-client.ts";
import type { ClientOptions } from "../family.ts";
import { ChainError } from "../reader.ts";
import { httpUrls } from "../rpc/endpoint-urls.ts";
import { makeSolanaReader } from "./reader.ts";

/** Opens a client that reads accounts; logs and blocks are not offered on Solana. */
export function openSolanaClient({ chain, urls, ...options }: ClientOptions): ChainClient {
  const reader = makeSolanaReader({ ...options, urls: httpUrls(urls) });
  const rejectQuery = async () => {
    throw new ChainError(`Only accounts can be queried on ${chain.name}.`);
  };
  return {
    chain,
    async pinLatestBlock() {
      const block = await reader.head();
      return { block, read: (reads) => reader.read([...reads], block) };
    },
    logs: rejectQuery,
    transactions: rejectQuery,
    blockTimes: rejectQuery,
    close: reader.close,
  };
}
