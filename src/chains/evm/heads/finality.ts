import type { Clock } from "../../../lib/clock.ts";
import { ChainError, type ChainReader } from "../../reader.ts";
import { EndpointFailure, type FailureKind } from "../../rpc/failure.ts";
import type { RpcReply } from "../../rpc/replies.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { readBlockRef } from "../blocks/header.ts";
import type { HeadTracker } from "./head-tracker.ts";

type Finality = { safe: number; finalized: number };

const keptMs = 4000;
/** What was final stays final, so an old answer stands in while nobody gives a new one. */
const staleMs = 120_000;

/** Asks how deep the nodes call the chain safe and final, not more often than every few seconds. */
export function makeFinalityTracker(rpc: Rpc, view: HeadTracker, clock: Clock): ChainReader["finality"] {
  let known: { value: Finality | undefined; at: number } | undefined;
  const ageMs = () => (known ? Math.abs(clock.now().getTime() - known.at) : Number.POSITIVE_INFINITY);

  async function ask(): Promise<Finality | undefined> {
    const method = "eth_getBlockByNumber";
    const calls = ["safe", "finalized"].map((tag) => ({ method, params: [tag, false] }));
    const use = { prefer: view.endpoint(), totalMs: 5000 };
    const [safe, finalized] = await rpc.use(async (session) => {
      const answers = await session.batch(calls);
      return answers.map(heightOf);
    }, use);
    if (finalized === undefined) return undefined;
    return { safe: Math.max(safe ?? finalized, finalized), finalized };
  }

  async function renew(): Promise<void> {
    try {
      known = { value: furthest(await ask(), known?.value), at: clock.now().getTime() };
    } catch (error) {
      if (!(error instanceof ChainError) || ageMs() > staleMs) throw error;
    }
  }

  return async () => {
    if (ageMs() >= keptMs) await renew();
    return belowHead(known?.value, view.currentHead()?.height);
  };
}

/** Undefined where the node does not know the tag; nodes say so in many ways. */
function heightOf(answer: RpcReply): number | undefined {
  if ("result" in answer) return answer.result === null ? undefined : readBlockRef(answer.result).height;
  const { failure } = answer;
  if (failure instanceof EndpointFailure && !unknowing.has(failure.kind)) throw failure;
  return undefined;
}

const unknowing = new Set<FailureKind>(["missing", "unsupported", "error"]);

/** A node that lags must not take back what was final. */
function furthest(now: Finality | undefined, before: Finality | undefined): Finality | undefined {
  if (!now || !before) return now;
  return {
    safe: Math.max(now.safe, before.safe),
    finalized: Math.max(now.finalized, before.finalized),
  };
}

function belowHead(settled: Finality | undefined, head = Number.POSITIVE_INFINITY): Finality | undefined {
  if (!settled) return undefined;
  return { safe: Math.min(settled.safe, head), finalized: Math.min(settled.finalized, head) };
}
