import type { BlockRef } from "../../reader.ts";

/** The head of one endpoint, with its hash of a block below that all endpoints should share. */
export type EndpointHead = { endpoint: number; ref: BlockRef; commonHash: string | undefined };

/**
 * Splits endpoints into those on the branch of the majority and those on another one. Of two branches with equally many
 * endpoints, the one of the followed endpoint wins. An endpoint that did not report the common block counts as agreed.
 */
export function commonBranch<Head extends EndpointHead>(
  heads: readonly Head[],
  followed: number | undefined,
): { agreed: Head[]; dissenting: number[] } {
  const groups = [...Map.groupBy(heads, ({ commonHash }) => commonHash)].filter(
    ([hash]) => hash !== undefined,
  );
  if (groups.length < 2) return { agreed: [...heads], dissenting: [] };
  const rank = (group: Head[]) =>
    group.length + (group.some(({ endpoint }) => endpoint === followed) ? 0.5 : 0);
  const [[majorityHash] = []] = groups.toSorted(([, a], [, b]) => rank(b) - rank(a));
  const isAgreed = ({ commonHash }: Head) => commonHash === undefined || commonHash === majorityHash;
  return {
    agreed: heads.filter(isAgreed),
    dissenting: heads.filter((head) => !isAgreed(head)).map(({ endpoint }) => endpoint),
  };
}
