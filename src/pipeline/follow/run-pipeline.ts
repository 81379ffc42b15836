import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { chains } from "../../chains/index.ts";
import type { ChainReader } from "../../chains/reader.ts";
import type { CallCounter } from "../../chains/rpc/call-counter.ts";
import { runEvery } from "../../lib/concurrency/poll-loop.ts";
import { listChainSwitches } from "../../store/contracts/chain-switches.ts";
import { recordCalls } from "./record-calls.ts";
import { runChain } from "./run-chain.ts";

/** The interval at which chains are started or stopped after staff switched them on or off. */
const switchCheckMs = 5_000;

/** Opens a reader of a chain on its endpoints, which counts its calls. */
export type OpenReader = (chain: Chain, urls: string[], counter: CallCounter) => ChainReader;

/** Follows every enabled chain independently: one that hangs or fails delays no other. */
export function runPipeline(app: App, openReader: OpenReader): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const runner = new ChainRunner(app, openReader);
  const onError = (error: unknown) =>
    app.log.warn({ err: error }, "enabled chains could not be read, will retry");
  const loop = { clock: app.clock, signal: stopping.signal, intervalMs: switchCheckMs, onError };
  const ended = runEvery(loop, () => runner.startAndStop()).then(() => runner.stopAll());
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** The chains that this process runs. */
class ChainRunner {
  private readonly app: App;
  private readonly openReader: OpenReader;
  private readonly running = new Map<string, { stop: AbortController; done: Promise<void> }>();

  constructor(app: App, openReader: OpenReader) {
    this.app = app;
    this.openReader = openReader;
  }

  async startAndStop(): Promise<void> {
    const switches = await listChainSwitches(this.app.db);
    for (const chain of chains) {
      const urls = this.app.config.rpc.get(chain.chain);
      const isEnabled = urls !== undefined && switches.get(chain.chain) !== false;
      if (isEnabled && !this.running.has(chain.chain)) this.start(chain, urls);
      if (!isEnabled && this.running.has(chain.chain)) await this.stop(chain.chain);
    }
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.running.keys()].map((key) => this.stop(key)));
  }

  /** A chain whose reader cannot be opened is tried again at the next check; the others continue. */
  private start(chain: Chain, urls: string[]): void {
    try {
      const stop = new AbortController();
      const counter = this.app.calls.of(chain.chain);
      const following = runChain(this.app, chain, this.openReader(chain, urls, counter), stop.signal);
      const recording = recordCalls(this.app, chain, counter, stop.signal);
      const done = Promise.all([following, recording]).then(() => undefined);
      this.running.set(chain.chain, { stop, done });
    } catch (error) {
      this.app.log.warn({ err: error, chain: chain.chain }, "chain could not be opened, will retry");
    }
  }

  private async stop(key: string): Promise<void> {
    const chain = this.running.get(key);
    this.running.delete(key);
    chain?.stop.abort();
    await chain?.done;
  }
}
