import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { chainOf, chains } from "../../chains/index.ts";
import { listChainSwitches } from "../../store/contracts/chain-switches.ts";
import { type ChainProgress, listProgress } from "../../store/engine/cursors.ts";
import type { ChainInfo } from "../../wire/contracts/contracts.ts";

/** Behind the head by more than this many block times, and at least this long, a chain lags or has stalled. */
const laggingBlocks = 10;
const stalledBlocks = 50;
const minLagSeconds = 60;

/** The chains that run here with how they are. */
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

/** Finds chains that run here by their keys, looked up once for many questions. */
export async function makeChainFinder(app: App): Promise<(key: string) => Chain | undefined> {
  const switches = await listChainSwitches(app.db);
  return (key) => {
    const chain = chainOf(key);
    return chain && isEnabled(app, chain, switches) ? chain : undefined;
  };
}

/** A chain runs when it has an RPC URL and staff have not switched it off. */
export function isEnabled(app: App, chain: Chain, switches: ReadonlyMap<string, boolean>): boolean {
  return app.config.rpc.has(chain.chain) && switches.get(chain.chain) !== false;
}

function describeChain(app: App, chain: Chain, progress: ChainProgress | undefined): ChainInfo {
  const { multicall3: _, ...facts } = chain;
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

/** How long a chain may give nothing new before it counts as stalled. */
export function stalledAfterSeconds(chain: Pick<Chain, "block_time_ms">): number {
  return allowedSeconds(chain, stalledBlocks);
}

function allowedSeconds({ block_time_ms }: Pick<Chain, "block_time_ms">, blocks: number): number {
  return Math.max(minLagSeconds, (blocks * block_time_ms) / 1000);
}
