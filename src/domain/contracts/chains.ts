import { type App, inSeconds } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { chainOf, chains } from "../../chains/index.ts";
import { dayOf } from "../../chains/rpc/call-counter.ts";
import { durationText } from "../../lib/text.ts";
import { listChainSwitches } from "../../store/contracts/chain-switches.ts";
import { type ChainGap, listGaps } from "../../store/engine/chain-gaps.ts";
import { type ChainProgress, listFirstErrors, listProgress } from "../../store/engine/cursors.ts";
import { listRpcCalls, type RpcCalls } from "../../store/engine/rpc-calls.ts";
import type { Db } from "../../store/open-store.ts";
import type { ChainInfo } from "../../wire/contracts/chains.ts";

/** A chain is live up to this many blocks behind the head, or as many as it makes in `minLagSeconds`. */
const laggingBlocks = 10;
const stalledBlocks = 50;
const minLagSeconds = 60;
const shownGapDays = 30;
/** The polls without a reply after which the nodes count as unreachable. */
const missedPolls = 3;

/** Returns the enabled chains with their state. */
export async function listEnabledChains(app: App): Promise<ChainInfo[]> {
  const [switches, progress, firstErrors, gaps, calls] = await Promise.all([
    listChainSwitches(app.db),
    listProgress(app.db),
    listFirstErrors(app.db),
    listGaps(app.db, inSeconds(app, -shownGapDays * 86_400)),
    listRpcCalls(app.db, dayOf(inSeconds(app, -86_400))),
  ]);
  return chains
    .filter((chain) => isEnabled(app, chain, switches))
    .map((chain) => ({
      ...describeChain(app, chain, {
        progress: progress.find((chainProgress) => chainProgress.chain === chain.chain),
        firstError: firstErrors.get(chain.chain) ?? null,
      }),
      reading: showReading(
        app,
        chain,
        progress.find((chainProgress) => chainProgress.chain === chain.chain),
        calls.filter((call) => call.chain === chain.chain),
      ),
      gaps: gaps.filter((gap) => gap.chain === chain.chain).map(showGap),
    }));
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

function describeChain(
  app: App,
  chain: Chain,
  { progress, firstError }: { progress: ChainProgress | undefined; firstError: string | null },
): Omit<ChainInfo, "gaps" | "reading"> {
  const { multicall3: _, quirks: _quirks, alwaysProducesBlocks: _always, ...facts } = chain;
  const now = app.clock.now().getTime() / 1000;
  if (!progress) {
    const unknown = { head_block: null, lag_seconds: null, last_block_at: null };
    return { ...facts, ...unknown, state: "off", status_reason: firstError };
  }
  const state = stateOf(chain, progress, now);
  const lag_seconds = lagOf(chain, progress, now);
  return {
    ...facts,
    state,
    head_block: progress.head_height ?? progress.height,
    lag_seconds,
    last_block_at: new Date(progress.time * 1000).toISOString(),
    status_reason:
      progress.last_error ??
      progress.degraded_reason ??
      (state === "lagging" ? catchingUp(progress, lag_seconds) : null),
  };
}

/** Says how far behind a chain is whose blocks are being processed. */
function catchingUp({ head_height, height }: ChainProgress, lag_seconds: number): string {
  const blocks = ((head_height ?? height) - height).toLocaleString("en-GB");
  return `Processing is ${blocks} blocks and ${durationText(lag_seconds)} behind the nodes and is catching up.`;
}

/** Names endpoints by their position, because their hosts are for the operator only. */
function showReading(
  app: App,
  { chain }: Chain,
  progress: ChainProgress | undefined,
  calls: readonly RpcCalls[],
): ChainInfo["reading"] {
  if (!progress?.reading) return null;
  const { calls_per_day, ...reading } = progress.reading;
  const today = dayOf(app.clock.now());
  const groups = Map.groupBy(calls, ({ endpoint, method }) => `${endpoint} ${method}`);
  const sum = (group: readonly RpcCalls[], isToday: boolean) =>
    group.reduce((total, rpcCalls) => total + ((rpcCalls.day === today) === isToday ? rpcCalls.calls : 0), 0);
  return {
    ...reading,
    calls_per_day_estimate: Math.round(calls_per_day),
    calls_per_day_budget: app.config.rpcLimits.get(chain)?.callsPerDay ?? null,
    calls: [...groups.values()].flatMap((group) => {
      const [first] = group;
      if (!first) return [];
      const { endpoint, method } = first;
      return [{ endpoint, method, today: sum(group, true), yesterday: sum(group, false) }];
    }),
  };
}

function showGap({ from, to, created_at }: ChainGap): ChainInfo["gaps"][number] {
  return { from_block: from, to_block: to, skipped_at: created_at.toISOString() };
}

/** Compares what was processed with what the nodes show. A head that makes no new block is no fault of ours. */
function stateOf(chain: Chain, progress: ChainProgress, now: number): ChainInfo["state"] {
  if (!isReachable(chain, progress, now)) return "stalled";
  const behind = (progress.head_height ?? 0) - progress.height;
  if (behind <= Math.max(laggingBlocks, (minLagSeconds * 1000) / chain.block_time_ms)) return "live";
  return secondsSince(progress.moved_at, now) > stalledAfterSeconds(chain) ? "stalled" : "lagging";
}

function lagOf(chain: Chain, progress: ChainProgress, now: number): number {
  const isAtHead = progress.height >= (progress.head_height ?? 0) && isReachable(chain, progress, now);
  return isAtHead ? 0 : Math.max(0, Math.round(now - progress.time));
}

/** A node has shown its head recently. */
function isReachable(chain: Chain, { head_seen_at, moved_at, reading }: ChainProgress, now: number): boolean {
  return secondsSince(head_seen_at ?? moved_at, now) <= stalledAfterSeconds({ ...chain, reading });
}

function secondsSince(time: Date, now: number): number {
  return now - time.getTime() / 1000;
}

/** Returns the seconds without a reply of the nodes, or without progress, after which a chain has stalled. */
export function stalledAfterSeconds({
  block_time_ms,
  reading,
}: Pick<Chain, "block_time_ms"> & { reading?: { poll_seconds: number } | null }): number {
  // A chain that is polled rarely shows its head rarely.
  const rarelySeconds = missedPolls * (reading?.poll_seconds ?? 0);
  return Math.max(minLagSeconds, (stalledBlocks * block_time_ms) / 1000, rarelySeconds);
}
