import type { ChainReader, Fork, Mark } from "../../chains/reader.ts";

/**
 * Whether the nodes have left the branch that we followed, and where. A head below ours may be a node that lags, so it
 * proves nothing; the chain will tell when it has grown. `marks` are our blocks, newest first.
 */
export async function findFork(
  reader: ChainReader,
  marks: readonly Mark[],
  head: Mark,
): Promise<Fork | undefined> {
  if (reader.findFork) return reader.findFork(marks, head);
  const [ours] = marks;
  if (!ours || head.height < ours.height || (await isShared(reader, ours, head))) return undefined;
  for (const [index, mark] of marks.entries()) {
    if (index > 0 && (await isShared(reader, mark, head))) return { ancestor: mark, depth: index };
  }
  return beyondMemory(reader, marks);
}

async function isShared(reader: ChainReader, mark: Mark, head: Mark): Promise<boolean> {
  if (mark.height === head.height) return mark.hash === head.hash;
  if (mark.height === head.height - 1) return mark.hash === head.parent_hash;
  return (await reader.mark(mark.height))?.hash === mark.hash;
}

/** No block that we remember is left: begin again below the oldest of them. */
async function beyondMemory(reader: ChainReader, marks: readonly Mark[]): Promise<Fork | undefined> {
  const oldest = marks.at(-1);
  const below = oldest && (await reader.mark(oldest.height - 1));
  return below && { ancestor: below, depth: marks.length };
}
