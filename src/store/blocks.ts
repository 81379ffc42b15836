import type { Db } from "./open.ts";

export type BlockMark = { height: number; hash: string; parent_hash: string; time: number };

/** How many blocks back a common ancestor can be looked for without asking anybody. */
export const keptBlocks = 256;

export async function insertBlocks(db: Db, chain: string, blocks: BlockMark[]): Promise<void> {
  const rows = blocks.slice(-keptBlocks).map((block) => ({
    chain,
    height: String(block.height),
    hash: block.hash,
    parent_hash: block.parent_hash,
    block_time: new Date(block.time * 1000),
  }));
  if (rows.length > 0) await db.insertInto("chain_blocks").values(rows).execute();
}

/** The blocks that are remembered of the branch we followed, newest first. */
export async function listBlocks(db: Db, chain: string): Promise<BlockMark[]> {
  const rows = await db
    .selectFrom("chain_blocks")
    .selectAll()
    .where("chain", "=", chain)
    .orderBy("height", "desc")
    .limit(keptBlocks)
    .execute();
  return rows.map((row) => ({
    height: Number(row.height),
    hash: row.hash,
    parent_hash: row.parent_hash,
    time: Math.round(row.block_time.getTime() / 1000),
  }));
}

export async function deleteBlocksAbove(db: Db, chain: string, height: number): Promise<void> {
  await db
    .deleteFrom("chain_blocks")
    .where("chain", "=", chain)
    .where("height", ">", String(height))
    .execute();
}

export async function forgetBlocksBelow(db: Db, chain: string, height: number): Promise<void> {
  await db
    .deleteFrom("chain_blocks")
    .where("chain", "=", chain)
    .where("height", "<", String(height))
    .execute();
}
