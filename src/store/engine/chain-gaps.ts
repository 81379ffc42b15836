import type { Db } from "../open-store.ts";

/** A range of blocks that was skipped. Nothing that happened in it was counted. */
export type ChainGap = { id: string; chain: string; from: number; to: number; created_at: Date };

export async function insertGap(db: Db, { from, to, ...gap }: ChainGap): Promise<void> {
  await db
    .insertInto("chain_gaps")
    .values({ ...gap, from_height: String(from), to_height: String(to) })
    .execute();
}

/** Lists the gaps since a time, newest first. */
export async function listGaps(db: Db, since: Date, limit = 100): Promise<ChainGap[]> {
  const rows = await db
    .selectFrom("chain_gaps")
    .selectAll()
    .where("created_at", ">=", since)
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ from_height, to_height, ...gap }) => ({
    ...gap,
    from: Number(from_height),
    to: Number(to_height),
  }));
}
