import type { Clock } from "../../../lib/clock.ts";
import type { Block, InternalCall } from "../../block.ts";
import { ChainError } from "../../reader.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { Session } from "../../rpc/session.ts";
import { fetchTraces, TracesUnsupported } from "./fetch-traces.ts";
import { rejectOrphan } from "./reject-orphan.ts";

/** The time that blocks wait for traces which the nodes support but fail to return. */
const maxWaitMs = 5_000;
/** The same for some time after a wait was in vain: an attacker could otherwise delay every block. */
const shortWaitMs = 500;
const shortWaitsForMs = 10 * 60_000;

/**
 * Makes a function that adds internal calls to blocks. A block stays without them when no endpoint supports traces, or when
 * endpoints fail to return them for some seconds. Anyone can send a transaction that is too expensive to trace, and it must not
 * delay the chain.
 */
export function makeTraceLoader(rpc: Rpc, clock: Clock) {
  let gaveUpAt: number | undefined;
  const nowMs = () => clock.now().getTime();

  return async (blocks: readonly Block[], prefer: number | undefined): Promise<Block[]> => {
    const found = new Map<string, InternalCall[]>();
    const isImpatient = gaveUpAt !== undefined && Math.abs(nowMs() - gaveUpAt) < shortWaitsForMs;
    const totalMs = isImpatient ? shortWaitMs : maxWaitMs;
    try {
      await rpc.use(traceWork(blocks, found, rpc.endpoints, prefer), { prefer, totalMs });
      gaveUpAt = undefined;
    } catch (error) {
      if (!(error instanceof ChainError) || error.code === "replaced") throw error;
      gaveUpAt ??= nowMs();
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
