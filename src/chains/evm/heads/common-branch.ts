import type { BlockRef } from "../../reader.ts";

/** What one endpoint shows: its head, and the block a little below that all of them should share. */
export type EndpointHead = { endpoint: number; ref: BlockRef; settled: string | undefined };

/**
 * Those of several endpoints that show the same chain: the largest group, and of two as large, the one that holds the
 * endpoint that was followed so far. An endpoint that could not say proves nothing, and stays in.
 */
export function commonBranch<One extends EndpointHead>(
  all: readonly One[],
  followed: number | undefined,
): { agreed: One[]; dissenting: number[] } {
  const groups = [...Map.groupBy(all, ({ settled }) => settled)].filter(([hash]) => hash !== undefined);
  if (groups.length < 2) return { agreed: [...all], dissenting: [] };
  const rank = (group: One[]) =>
    group.length + (group.some(({ endpoint }) => endpoint === followed) ? 0.5 : 0);
  const [[hash] = []] = groups.toSorted(([, a], [, b]) => rank(b) - rank(a));
  const isAgreed = ({ settled }: One) => settled === undefined || settled === hash;
  return {
    agreed: all.filter(isAgreed),
    dissenting: all.filter((one) => !isAgreed(one)).map(({ endpoint }) => endpoint),
  };
}
