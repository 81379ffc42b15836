import type { BlockRef, ChainReader, Fork } from "../../chains/reader.ts";
import { retainedBlocks } from "../../store/engine/blocks.ts";

/**
 * Finds the fork between the followed branch and the current chain; undefined when there is none. A head below ours may
 * come from an endpoint that lags, so it proves nothing. `refs` are the followed blocks, newest first.
 */
export async function findFork(
  reader: ChainReader,
  refs: readonly BlockRef[],
  head: BlockRef,
): Promise<Fork | undefined> {
  if (reader.findFork) return reader.findFork(refs, head);
  const [newestRef] = refs;
  if (!newestRef || head.height < newestRef.height || (await isParentOfNext(reader, newestRef, head)))
    return undefined;
  if (await isShared(reader, newestRef, head)) return undefined;
  for (const [index, ref] of refs.entries()) {
    const replaced = refs[index - 1];
    if (replaced && (await isShared(reader, ref, head))) {
      const ancestor = await notDeeperThanRetained(reader, ref, newestRef);
      return { ancestor, depth: newestRef.height - replaced.height + 1 };
    }
  }
  return forkBelowStored(reader, refs);
}

/** The block after ours names it as its parent. That block is read next, so that it costs no request of its own. */
async function isParentOfNext(reader: ChainReader, ours: BlockRef, head: BlockRef): Promise<boolean> {
  const next = head.height > ours.height + 1 ? await reader.blockRef(ours.height + 1) : undefined;
  return next?.parent_hash === ours.hash;
}

async function isShared(reader: ChainReader, ref: BlockRef, head: BlockRef): Promise<boolean> {
  if (ref.height === head.height) return ref.hash === head.hash;
  if (ref.height === head.height - 1) return ref.hash === head.parent_hash;
  return (await reader.blockRef(ref.height))?.hash === ref.hash;
}

/**
 * Where only some blocks are stored, the newest shared one may be far below the fork. States and blocks are kept for a
 * number of blocks, which is the depth of the deepest fork, so that no block below them needs to be read again.
 */
async function notDeeperThanRetained(
  reader: ChainReader,
  shared: BlockRef,
  ours: BlockRef,
): Promise<BlockRef> {
  const lowest = ours.height - retainedBlocks;
  return (shared.height < lowest && (await reader.blockRef(lowest))) || shared;
}

/** None of the stored blocks is on the current chain: the fork is assumed below the oldest of them. */
async function forkBelowStored(reader: ChainReader, refs: readonly BlockRef[]): Promise<Fork | undefined> {
  const oldest = refs.at(-1);
  const below = oldest && (await reader.blockRef(oldest.height - 1));
  return below && { ancestor: below, depth: refs.length };
}
