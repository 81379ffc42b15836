import type { Clock } from "../../../lib/clock.ts";
import type { Block, InternalCall } from "../../block.ts";
import { ChainError } from "../../reader.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { Session } from "../../rpc/session.ts";
import { fetchTraces, TracesUnsupported } from "./fetch-traces.ts";
import { rejectOrphan } from "./reject-orphan.ts";

/** How long the chain waits for traces that its nodes have but fail to give. */
const deadlineMs = 60_000;
/** For so long after it was in vain, no block is waited for again: whoever did this once can do it with every block. */
const retryAfterMs = 10 * 60_000;

/**
 * Adds to blocks the calls that contracts made. A block of which they are not to be had stays as it is, and whoever needed them
 * is told: at once where no endpoint gives traces, after a minute where endpoints fail to. Anybody can send a transaction
 * that is too much to trace, and that must not hold up everything else on the chain.
 */
export function makeTraceLoader(rpc: Rpc, clock: Clock) {
  let failingSince: number | undefined;
  let gaveUpAt: number | undefined;
  const elapsedMs = (at: number | undefined) => Math.abs(clock.now().getTime() - (at ?? 0));

  return async (blocks: readonly Block[], prefer: number | undefined): Promise<Block[]> => {
    const found = new Map<string, InternalCall[]>();
    const mayWait = elapsedMs(gaveUpAt) >= retryAfterMs;
    const totalMs = mayWait ? 20_000 : 5_000;
    try {
      await rpc.use(traceWork(blocks, found, rpc.endpoints, prefer), { prefer, totalMs });
      failingSince = undefined;
    } catch (error) {
      failingSince ??= clock.now().getTime();
      if (!(error instanceof ChainError) || (mayWait && elapsedMs(failingSince) < deadlineMs)) throw error;
      gaveUpAt = clock.now().getTime();
      failingSince = undefined;
    }
    return blocks.map((block) => {
      const internal_calls = found.get(block.hash);
      return internal_calls ? { ...block, internal_calls } : block;
    });
  };
}

/** Asks one endpoint after another for what is not found yet, until all is, or none of them gives traces. */
function traceWork(
  blocks: readonly Block[],
  found: Map<string, InternalCall[]>,
  endpoints: number,
  prefer: number | undefined,
): (session: Session) => Promise<void> {
  const unsupported = new Set<number>();
  return async (session) => {
    const missing = blocks.filter(({ hash }) => !found.has(hash));
    const keep = ({ hash }: Block, calls: InternalCall[]) => void found.set(hash, calls);
    try {
      await fetchTraces({ session, onCalls: keep }, missing);
    } catch (error) {
      const first = missing.find(({ hash }) => !found.has(hash));
      if (first && session.endpoint === (prefer ?? session.endpoint))
        await rejectOrphan(session, first, error);
      if (error instanceof TracesUnsupported && unsupported.add(session.endpoint).size === endpoints) return;
      throw error;
    }
  };
}
