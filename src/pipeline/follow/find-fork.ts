import type { BlockRef, ChainReader, Fork } from "../../chains/reader.ts";

/**
 * Whether the nodes have left the branch that we followed, and where. A head below ours may be a node that lags, so it
 * proves nothing; the chain will tell when it has grown. `marks` are our blocks, newest first.
 */
export async function findFork(
  reader: ChainReader,
  refs: readonly BlockRef[],
  head: BlockRef,
): Promise<Fork | undefined> {
  if (reader.findFork) return reader.findFork(refs, head);
  const [ours] = refs;
  if (!ours || head.height < ours.height || (await isShared(reader, ours, head))) return undefined;
  for (const [index, ref] of refs.entries()) {
    if (index > 0 && (await isShared(reader, ref, head))) return { ancestor: ref, depth: index };
  }
  return beyondMemory(reader, refs);
}

async function isShared(reader: ChainReader, ref: BlockRef, head: BlockRef): Promise<boolean> {
  if (ref.height === head.height) return ref.hash === head.hash;
  if (ref.height === head.height - 1) return ref.hash === head.parent_hash;
  return (await reader.blockRef(ref.height))?.hash === ref.hash;
}

/** No block that we remember is left: begin again below the oldest of them. */
async function beyondMemory(reader: ChainReader, refs: readonly BlockRef[]): Promise<Fork | undefined> {
  const oldest = refs.at(-1);
  const below = oldest && (await reader.blockRef(oldest.height - 1));
  return below && { ancestor: below, depth: refs.length };
}
