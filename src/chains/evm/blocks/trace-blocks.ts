import type { Block, InternalCall } from "../../block.ts";
import type { ChainReader } from "../../reader.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { Session } from "../../rpc/session.ts";
import { fetchTraces, TracesUnsupported } from "./fetch-traces.ts";
import { rejectOrphan } from "./reject-orphan.ts";

type OnCalls = (block: Block, calls: InternalCall[]) => void;

/** Makes a function that fetches the internal calls of blocks from one endpoint after another. */
export function makeFetchTraces(
  rpc: Rpc,
  endpoint: () => number | undefined,
): NonNullable<ChainReader["traces"]> {
  return (blocks, onCalls) => {
    const prefer = endpoint();
    return rpc.use(traceWork(blocks, onCalls, rpc.endpoints, prefer), { prefer });
  };
}

/** Fetches missing traces from one endpoint. Resolves with false when no endpoint supports traces. */
function traceWork(
  blocks: readonly Block[],
  onCalls: OnCalls,
  endpoints: number,
  prefer: number | undefined,
): (session: Session) => Promise<boolean> {
  const unsupported = new Set<number>();
  const found = new Set<string>();
  const keep: OnCalls = (block, calls) => {
    found.add(block.hash);
    onCalls(block, calls);
  };
  return async (session) => {
    const missing = blocks.filter(({ hash }) => !found.has(hash));
    try {
      await fetchTraces({ session, onCalls: keep }, missing);
      return true;
    } catch (error) {
      const first = missing.find(({ hash }) => !found.has(hash));
      if (first && session.endpoint === (prefer ?? session.endpoint))
        await rejectOrphan(session, first, error);
      if (error instanceof TracesUnsupported && unsupported.add(session.endpoint).size === endpoints)
        return false;
      throw error;
    }
  };
}
