import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log/log.ts";
import type { ChainClient, ChainClients } from "./chain-client.ts";
import { familyOf } from "./families.ts";
import { ChainError } from "./reader.ts";
import type { CallCounters } from "./rpc/call-counter.ts";

/** Shorter than in the engine: a person waits for the reply. */
const timeoutMs = 2_500;
const deadlineMs = 3_000;

/** Opens clients at the operator's RPC URLs. The engine has readers of its own, which requests therefore cannot delay. */
export function openChainClients(options: {
  rpc: ReadonlyMap<string, string[]>;
  clock: Clock;
  log?: Log | undefined;
  calls?: CallCounters | undefined;
}): ChainClients {
  const { rpc, clock, log, calls } = options;
  const open = new Map<string, ChainClient>();
  return {
    clientFor(chain) {
      const client = open.get(chain.chain);
      if (client) return client;
      const urls = rpc.get(chain.chain);
      if (!urls) throw new ChainError(`No RPC endpoint is configured for ${chain.name}.`);
      const opened = familyOf(chain).openClient({
        ...{ chain, urls, clock, log, timeoutMs, deadlineMs },
        counter: calls?.of(chain.chain),
      });
      open.set(chain.chain, opened);
      return opened;
    },
    async close() {
      await Promise.all([...open.values()].map((client) => client.close()));
      open.clear();
    },
  };
}
