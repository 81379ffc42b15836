import type { Read, ReadResult } from "../../block.ts";

type ReadAt = (
  reads: readonly Read[],
  at: { height: number; hash: string },
  prefer: number | undefined,
) => Promise<ReadResult[]>;

/** The blocks whose results are kept. */
const keptBlocks = 4;
const maxResults = 20_000;

/** Makes a reader that asks nothing twice within a block: several organisations may watch the same contract. */
export function makeReadOnce(readAt: ReadAt): ReadAt {
  const blocks = new Map<string, Map<string, ReadResult>>();

  function resultsAt(hash: string): Map<string, ReadResult> {
    const results = blocks.get(hash) ?? new Map<string, ReadResult>();
    if (results.size > maxResults) results.clear();
    blocks.set(hash, results);
    if (blocks.size > keptBlocks) blocks.delete(blocks.keys().next().value ?? "");
    return results;
  }

  return async (reads, at, prefer) => {
    const cached = resultsAt(at.hash);
    const keyed = reads.map((read) => ({ read, key: JSON.stringify(read) }));
    const missing = new Map(keyed.filter(({ key }) => !cached.has(key)).map(({ key, read }) => [key, read]));
    const results = missing.size > 0 ? await readAt([...missing.values()], at, prefer) : [];
    const fresh = new Map([...missing.keys()].map((key, index) => [key, results[index]]));
    // A read that nodes failed to answer may succeed the next time.
    for (const [key, result] of fresh)
      if (result && (result.ok || result.code === "reverted")) cached.set(key, result);
    return keyed.map(({ key }) => (fresh.get(key) ?? cached.get(key)) as ReadResult);
  };
}
