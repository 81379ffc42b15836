import type { Clock } from "../../../lib/clock.ts";
import type { Block, InternalCall } from "../../block.ts";
import { ChainError, type ChainReader } from "../../reader.ts";
import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { Session } from "../../rpc/session.ts";
import { fetchTraces, TracesUnsupported, traceMethod } from "./fetch-traces.ts";
import { rejectOrphan } from "./reject-orphan.ts";

type OnCalls = (block: Block, calls: InternalCall[]) => void;

/** An endpoint that rejects every request for so long does not accept any. A shorter time may be a fault that passes. */
const rejectingMs = 60_000;
/** After so long without a request, the endpoint may have traced in between. */
const rememberedMs = 10 * 60_000;

/** Makes a function that fetches the internal calls of blocks from one endpoint after another. */
export function makeFetchTraces(
  rpc: Rpc,
  clock: Clock,
  endpoint: () => number | undefined,
): NonNullable<ChainReader["traces"]> {
  const rejections = new Rejections(clock);
  return (blocks, onCalls) => {
    const prefer = endpoint();
    return rpc.use(traceWork({ blocks, onCalls, rejections, endpoints: rpc.endpoints, prefer }), { prefer });
  };
}

type TraceWork = {
  blocks: readonly Block[];
  onCalls: OnCalls;
  rejections: Rejections;
  endpoints: number;
  prefer: number | undefined;
};

/** Fetches missing traces from one endpoint. Resolves with false when no endpoint supports traces. */
function traceWork({ blocks, onCalls, rejections, endpoints, prefer }: TraceWork) {
  const refusing = new Map<number, "unsupported" | "rejected">();
  const traced = new Set<string>();
  return async (session: Session): Promise<boolean> => {
    const missing = blocks.filter(({ hash }) => !traced.has(hash));
    const keep: OnCalls = (block, calls) => {
      traced.add(block.hash);
      if (block.transactions.length > 0) rejections.end(session.endpoint);
      onCalls(block, calls);
    };
    try {
      await fetchTraces({ session, onCalls: keep }, missing);
      return true;
    } catch (error) {
      const first = missing.find(({ hash }) => !traced.has(hash));
      if (first && session.endpoint === (prefer ?? session.endpoint))
        await rejectOrphan(session, first, error);
      if (!(error instanceof TracesUnsupported || error instanceof RpcError)) throw error;
      const isRejected = error instanceof RpcError && !rejections.areLasting(session);
      refusing.set(session.endpoint, isRejected ? "rejected" : "unsupported");
      if (refusing.size < endpoints) throw new EndpointFailure("unsupported", `rejects ${traceMethod}`);
      if ([...refusing.values()].includes("rejected"))
        throw new ChainError(`The nodes reject ${traceMethod} with an error. It is sent again soon.`);
      return false;
    }
  };
}

/** Since when endpoints have blamed every request for traces, without saying that they do not support the method. */
class Rejections {
  private readonly clock: Clock;
  private readonly byEndpoint = new Map<number, { sinceMs: number; lastMs: number }>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Records a rejection. Once they have lasted, the endpoint counts as one that does not support traces. */
  areLasting({ endpoint, markUnsupported }: Session): boolean {
    const lastMs = this.clock.now().getTime();
    const traces = this.byEndpoint.get(endpoint);
    const isRecent = traces && Math.abs(lastMs - traces.lastMs) < rememberedMs;
    const sinceMs = isRecent ? traces.sinceMs : lastMs;
    this.byEndpoint.set(endpoint, { sinceMs, lastMs });
    const areLasting = lastMs - sinceMs >= rejectingMs;
    if (areLasting) markUnsupported(traceMethod);
    return areLasting;
  }

  end(endpoint: number): void {
    this.byEndpoint.delete(endpoint);
  }
}
