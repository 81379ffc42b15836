import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { chainOf, chains } from "../../chains/index.ts";
import { listChainSwitches } from "../../store/contracts/chain-switches.ts";
import { type ChainProgress, listProgress } from "../../store/engine/cursors.ts";
import type { Db } from "../../store/open-store.ts";
import type { ChainInfo } from "../../wire/contracts/contracts.ts";

/** A chain is lagging or stalled if its last processed block is older than this many block times and than `minLagSeconds`. */
const laggingBlocks = 10;
const stalledBlocks = 50;
const minLagSeconds = 60;

/** Returns the enabled chains with their state. */
export async function listEnabledChains(app: App): Promise<ChainInfo[]> {
  const [switches, progress] = await Promise.all([listChainSwitches(app.db), listProgress(app.db)]);
  return chains
    .filter((chain) => isEnabled(app, chain, switches))
    .map((chain) =>
      describeChain(
        app,
        chain,
        progress.find((one) => one.chain === chain.chain),
      ),
    );
}

/** Returns a function that finds enabled chains by key; reads the switches once for many lookups. */
export async function makeChainFinder(
  app: App,
  db: Db = app.db,
): Promise<(key: string) => Chain | undefined> {
  const switches = await listChainSwitches(db);
  return (key) => {
    const chain = chainOf(key);
    return chain && isEnabled(app, chain, switches) ? chain : undefined;
  };
}

/** A chain is enabled if it has an RPC URL and staff have not disabled it. */
export function isEnabled(app: App, chain: Chain, switches: ReadonlyMap<string, boolean>): boolean {
  return app.config.rpc.has(chain.chain) && switches.get(chain.chain) !== false;
}

function describeChain(app: App, chain: Chain, progress: ChainProgress | undefined): ChainInfo {
  const { multicall3: _, quirks: _quirks, alwaysProducesBlocks: _always, ...facts } = chain;
  const now = app.clock.now().getTime() / 1000;
  const lag_seconds = progress ? Math.max(0, Math.round(now - progress.time)) : null;
  return {
    ...facts,
    state: stateOf(chain, lag_seconds),
    head_block: progress?.head_height ?? progress?.height ?? null,
    lag_seconds,
  };
}

function stateOf(chain: Chain, lag_seconds: number | null): ChainInfo["state"] {
  if (lag_seconds === null) return "off";
  if (lag_seconds > stalledAfterSeconds(chain)) return "stalled";
  return lag_seconds > allowedSeconds(chain, laggingBlocks) ? "lagging" : "live";
}

/** Returns the age of the last block, in seconds, beyond which a chain has stalled. */
export function stalledAfterSeconds(chain: Pick<Chain, "block_time_ms">): number {
  return allowedSeconds(chain, stalledBlocks);
}

function allowedSeconds({ block_time_ms }: Pick<Chain, "block_time_ms">, blocks: number): number {
  return Math.max(minLagSeconds, (blocks * block_time_ms) / 1000);
}
