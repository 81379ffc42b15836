import type { Clock } from "../../../lib/clock.ts";
import { ChainError, type ChainReader } from "../../reader.ts";
import { EndpointFailure, type FailureKind } from "../../rpc/failure.ts";
import type { RpcReply } from "../../rpc/replies.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { readBlockRef } from "../blocks/header.ts";
import type { HeadTracker } from "./head-tracker.ts";

type Finality = { safe: number; finalized: number };

const cacheMs = 4000;
/** What was final stays final, so an old answer stands in while nobody gives a new one. */
const staleMs = 120_000;

/** Asks how deep the nodes call the chain safe and final, not more often than every few seconds. */
export function makeFinalityTracker(rpc: Rpc, tracker: HeadTracker, clock: Clock): ChainReader["finality"] {
  let cached: { value: Finality | undefined; at: number } | undefined;
  const ageMs = () => (cached ? Math.abs(clock.now().getTime() - cached.at) : Number.POSITIVE_INFINITY);

  async function fetchFinality(): Promise<Finality | undefined> {
    const method = "eth_getBlockByNumber";
    const calls = ["safe", "finalized"].map((tag) => ({ method, params: [tag, false] }));
    const use = { prefer: tracker.endpoint(), totalMs: 5000 };
    const [safe, finalized] = await rpc.use(async (session) => {
      const replies = await session.batch(calls);
      return replies.map(heightOf);
    }, use);
    if (finalized === undefined) return undefined;
    return { safe: Math.max(safe ?? finalized, finalized), finalized };
  }

  async function refresh(): Promise<void> {
    try {
      cached = { value: furthest(await fetchFinality(), cached?.value), at: clock.now().getTime() };
    } catch (error) {
      if (!(error instanceof ChainError) || ageMs() > staleMs) throw error;
    }
  }

  return async () => {
    if (ageMs() >= cacheMs) await refresh();
    return belowHead(cached?.value, tracker.currentHead()?.height);
  };
}

/** Undefined where the node does not know the tag; nodes say so in many ways. */
function heightOf(reply: RpcReply): number | undefined {
  if ("result" in reply) return reply.result === null ? undefined : readBlockRef(reply.result).height;
  const { failure } = reply;
  if (failure instanceof EndpointFailure && !tagUnsupported.has(failure.kind)) throw failure;
  return undefined;
}

const tagUnsupported = new Set<FailureKind>(["missing", "unsupported", "error"]);

/** A node that lags must not take back what was final. */
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
