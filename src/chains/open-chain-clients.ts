import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Chain } from "./chain.ts";
import type { ChainClient, ChainClients } from "./chain-client.ts";
import { makeEvmReader } from "./evm/reader.ts";
import { ChainError } from "./reader.ts";
import { makeSolanaReader } from "./solana/reader.ts";

/** People wait for the answer, so that a node has less time than the engine gives it. */
const timeoutMs = 2_500;
const deadlineMs = 3_000;
/** Anybody may name any contract here, and one that goes round in circles must not keep a node busy. */
const callGas = 3_000_000;

/** Opens chains by the operator's URLs. The engine's own readers are apart, so that questions cannot hold it up. */
export function openChainClients(options: {
  rpc: ReadonlyMap<string, string[]>;
  clock: Clock;
  log?: Log | undefined;
}): ChainClients {
  const open = new Map<string, ChainClient>();
  return {
    clientFor(chain) {
      const known = open.get(chain.chain);
      if (known) return known;
      const urls = options.rpc.get(chain.chain);
      if (!urls) throw new ChainError(`Nothing can be asked about ${chain.name} here.`);
      const opened = (chain.kind === "solana" ? openSolanaClient : openEvmClient)(chain, urls, options);
      open.set(chain.chain, opened);
      return opened;
    },
    async close() {
      await Promise.all([...open.values()].map((one) => one.close()));
      open.clear();
    },
  };
}

function openSolanaClient(
  chain: Chain,
  urls: string[],
  { clock, log }: { clock: Clock; log?: Log | undefined },
): ChainClient {
  const plain = urls.filter((url) => !/^ws/i.test(url));
  const asked = plain.length > 0 ? plain : urls.map((url) => url.replace(/^ws/i, "http"));
  const reader = makeSolanaReader({ urls: asked, clock, log, timeoutMs, deadlineMs });
  const refuse = async () => {
    throw new ChainError(`${chain.name} is asked about accounts only.`);
  };
  return {
    chain,
    async pinLatestBlock() {
      const block = await reader.head();
      return { block, read: (reads) => reader.read([...reads], block) };
    },
    logs: refuse,
    transactions: refuse,
    close: reader.close,
  };
}

function openEvmClient(
  chain: Chain,
  urls: string[],
  { clock, log }: { clock: Clock; log?: Log | undefined },
): ChainClient {
  // New heads are not waited for here, so that a websocket's URL is asked over HTTP.
  const plain = urls.filter((url) => !/^ws/i.test(url));
  const asked = plain.length > 0 ? plain : urls.map((url) => url.replace(/^ws/i, "http"));
  const reader = makeEvmReader({ chain, urls: asked, clock, log, timeoutMs, deadlineMs, callGas });
  return {
    chain,
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
    close: reader.close,
  };
}
