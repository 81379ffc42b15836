import type { Block } from "../block.ts";
import type { BlockNeeds } from "../reading-plan.ts";
import type { Rpc } from "../rpc/rpc.ts";
import type { BlockVerifier } from "./blocks/block-verifier.ts";
import { fetchBlocks } from "./blocks/fetch-blocks.ts";
import type { HeadTracker } from "./heads/head-tracker.ts";

export type ReadBlocks = (from: number, to: number, needs: BlockNeeds) => Promise<Block[]>;

type Deps = { rpc: Rpc; tracker: HeadTracker; verifier: BlockVerifier; deadlineMs: number | undefined };

/** Reads whole blocks. What one endpoint returned before it failed is not requested from the next. */
export function makeReadBlocks({ rpc, tracker, verifier, deadlineMs }: Deps): ReadBlocks {
  return async (from, to, { receipts, watched }) => {
    const heights = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
    const fetched = new Map<number, Block>();
    const keep = (block: Block) => fetched.set(block.height, block);
    let knownHeaders: ReadonlyMap<number, unknown> | undefined = new Map(tracker.recent);
    await rpc.use(
      (session) => {
        const context = { session, verifier, receipts, watched, known: knownHeaders, onBlock: keep };
        // If it failed because of the head, the head has to be fetched again.
        knownHeaders = undefined;
        return fetchBlocks(
          context,
          heights.filter((height) => !fetched.has(height)),
        );
      },
      { prefer: tracker.endpoint(), totalMs: Math.max(deadlineMs ?? 0, blocksDeadlineMs) },
    );
    return heights.flatMap((height) => fetched.get(height) ?? []);
  };
}

/** A batch of blocks takes longer than other tasks. */
const blocksDeadlineMs = 30_000;
