import type { Clock } from "../../../lib/clock.ts";
import { ChainError, type ChainReader } from "../../reader.ts";
import { EndpointFailure, type FailureKind } from "../../rpc/failure.ts";
import type { RpcReply } from "../../rpc/replies.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { readBlockRef } from "../blocks/header.ts";
import type { HeadTracker } from "./head-tracker.ts";

type Finality = { safe: number; finalized: number };

const finalityTags = "the block tags safe and finalized";
/** A commit waits this long for a new value, and then uses the last one: a final block stays final. */
const maxWaitMs = 1000;

/** Fetches the safe and the finalized height, cached for as long as `cacheMs` says. Never rejects. */
export function makeFinalityTracker(
  rpc: Rpc,
  tracker: HeadTracker,
  clock: Clock,
  cacheMs: () => number,
): ChainReader["finality"] {
  let refreshing: Promise<void> | undefined;
  let cached: { value: Finality | undefined; at: number } | undefined;
  const ageMs = () => (cached ? Math.abs(clock.now().getTime() - cached.at) : Number.POSITIVE_INFINITY);

  async function fetchFinality(): Promise<Finality | undefined> {
    const method = "eth_getBlockByNumber";
    const calls = ["safe", "finalized"].map((tag) => ({ method, params: [tag, false] }));
    const use = { prefer: tracker.endpoint() };
    const [safe, finalized] = await rpc.use(async (session) => {
      if (session.lacks(finalityTags)) return [];
      const replies = await session.batch(calls);
      const heights = replies.map(heightOf);
      if (heights.every((height) => height === undefined)) session.markUnsupported(finalityTags);
      return heights;
    }, use);
    if (finalized === undefined) return undefined;
    return { safe: Math.max(safe ?? finalized, finalized), finalized };
  }

  async function refresh(): Promise<void> {
    try {
      cached = { value: furthest(await fetchFinality(), cached?.value), at: clock.now().getTime() };
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      // Without this, every commit would wait for endpoints that fail.
      cached = { value: cached?.value, at: clock.now().getTime() };
    }
  }

  /** Waits for a new value, but not for long. One refresh runs at a time. */
  async function refreshSoon(): Promise<void> {
    const isFirst = refreshing === undefined;
    refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    });
    const waited = new AbortController();
    if (isFirst) await Promise.race([refreshing, clock.sleep(maxWaitMs, waited.signal)]);
    waited.abort();
  }

  return async () => {
    if (ageMs() >= cacheMs()) await refreshSoon();
    return belowHead(cached?.value, tracker.currentHead()?.height);
  };
}

/** Undefined when the node does not support the tag, which nodes report in many ways. */
function heightOf(reply: RpcReply): number | undefined {
  if ("result" in reply) return reply.result === null ? undefined : readBlockRef(reply.result).height;
  const { failure } = reply;
  if (failure instanceof EndpointFailure && !tagUnsupported.has(failure.kind)) throw failure;
  return undefined;
}

const tagUnsupported = new Set<FailureKind>(["missing", "unsupported", "error"]);

/** A node that lags must not lower the finalized height. */
function furthest(now: Finality | undefined, before: Finality | undefined): Finality | undefined {
  if (!now || !before) return now;
  return {
    safe: Math.max(now.safe, before.safe),
    finalized: Math.max(now.finalized, before.finalized),
  };
}

function belowHead(finality: Finality | undefined, head = Number.POSITIVE_INFINITY): Finality | undefined {
  if (!finality) return undefined;
  return { safe: Math.min(finality.safe, head), finalized: Math.min(finality.finalized, head) };
}
