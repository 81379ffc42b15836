import type { Clock } from "../../../lib/clock.ts";
import type { Block, InternalCall } from "../../block.ts";
import { ChainError } from "../../reader.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { Session } from "../../rpc/session.ts";
import { fetchTraces, TracesUnsupported } from "./fetch-traces.ts";
import { rejectOrphan } from "./reject-orphan.ts";

/** The time that blocks wait for traces which the nodes support but fail to return. */
const deadlineMs = 60_000;
/** After a timeout, blocks do not wait again for this long: an attacker could delay every block. */
const retryAfterMs = 10 * 60_000;

/**
 * Makes a function that adds internal calls to blocks. A block stays without them when no endpoint supports traces, or when
 * endpoints fail to return them for a minute. Anyone can send a transaction that is too expensive to trace, and it must not
 * delay the chain.
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

/** Fetches missing traces from one endpoint after another, until all are found or no endpoint supports traces. */
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
