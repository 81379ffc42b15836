import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { chains } from "../../chains/index.ts";
import type { ChainReader } from "../../chains/reader.ts";
import { listChainSwitches } from "../../store/contracts/chain-switches.ts";
import { runChain } from "./run-chain.ts";

/** How often to look whether staff switched a chain on or off. */
const switchCheckMs = 5_000;

/** Opens a way to read a chain. */
export type OpenReader = (chain: Chain, urls: string[]) => ChainReader;

type Running = { stop: AbortController; done: Promise<void> };

/** Follows every enabled chain, each on its own: one that hangs or fails holds up no other. */
export function runPipeline(app: App, openReader: OpenReader): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = new Map<string, Running>();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await startAndStop(app, openReader, running).catch((error) =>
        app.log.warn({ err: error }, "which chains to follow could not be read; trying again"),
      );
      await app.clock.sleep(switchCheckMs, stopping.signal);
    }
    await Promise.all([...running.keys()].map((key) => stopChain(running, key)));
  };
  const ended = loop();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

async function startAndStop(app: App, openReader: OpenReader, running: Map<string, Running>): Promise<void> {
  const switches = await listChainSwitches(app.db);
  for (const chain of chains) {
    const urls = app.config.rpc.get(chain.chain);
    const isWanted = urls !== undefined && switches.get(chain.chain) !== false;
    if (isWanted && !running.has(chain.chain)) startChain(app, openReader, running, chain, urls);
    if (!isWanted && running.has(chain.chain)) await stopChain(running, chain.chain);
  }
}

/** A chain that cannot even be opened is tried again with the next look, and the others go on. */
function startChain(
  app: App,
  openReader: OpenReader,
  running: Map<string, Running>,
  chain: Chain,
  urls: string[],
): void {
  try {
    const stop = new AbortController();
    running.set(chain.chain, { stop, done: runChain(app, chain, openReader(chain, urls), stop.signal) });
  } catch (error) {
    app.log.warn({ err: error, chain: chain.chain }, "the chain could not be opened; trying again");
  }
}

async function stopChain(running: Map<string, Running>, key: string): Promise<void> {
  const one = running.get(key);
  running.delete(key);
  one?.stop.abort();
  await one?.done;
}
