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
const giveUpMs = 10 * 60_000;

/**
 * Adds to blocks the calls that contracts made. A block of which they are not to be had stays as it is, and whoever needed them
 * is told: at once where no endpoint gives traces, after a minute where endpoints fail to. Anybody can send a transaction
 * that is too much to trace, and that must not hold up everything else on the chain.
 */
export function makeTraceLoader(rpc: Rpc, clock: Clock) {
  let failingSince: number | undefined;
  let gaveUpAt: number | undefined;
  const since = (at: number | undefined) => Math.abs(clock.now().getTime() - (at ?? 0));

  return async (blocks: readonly Block[], prefer: number | undefined): Promise<Block[]> => {
    const found = new Map<string, InternalCall[]>();
    const isPatient = since(gaveUpAt) >= giveUpMs;
    const totalMs = isPatient ? 20_000 : 5_000;
    try {
      await rpc.use(asker(blocks, found, rpc.endpoints, prefer), { prefer, totalMs });
      failingSince = undefined;
    } catch (error) {
      failingSince ??= clock.now().getTime();
      if (!(error instanceof ChainError) || (isPatient && since(failingSince) < deadlineMs)) throw error;
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
function asker(
  blocks: readonly Block[],
  found: Map<string, InternalCall[]>,
  endpoints: number,
  prefer: number | undefined,
): (session: Session) => Promise<void> {
  const lacking = new Set<number>();
  return async (session) => {
    const open = blocks.filter(({ hash }) => !found.has(hash));
    const keep = ({ hash }: Block, calls: InternalCall[]) => void found.set(hash, calls);
    try {
      await fetchTraces({ session, keep }, open);
    } catch (error) {
      const first = open.find(({ hash }) => !found.has(hash));
      if (first && session.endpoint === (prefer ?? session.endpoint))
        await rejectOrphan(session, first, error);
      if (error instanceof TracesUnsupported && lacking.add(session.endpoint).size === endpoints) return;
      throw error;
    }
  };
}
