import { sql } from "kysely";
import { z } from "zod";
import type { Db } from "../open-store.ts";
import { rowParser } from "../parse-row.ts";

export type StoredBlockRef = {
  height: number;
  hash: string;
  parent_hash: string;
  time: number;
  seen?: NonNullable<z.infer<typeof json.seen>>;
  scan?: z.infer<typeof logScan>;
  /** True if the block was processed without its internal calls, which may still come. */
  untraced?: boolean;
};

const logScan = z.object({ filter: z.string(), logs: z.array(z.string()) });

const json = {
  seen: z
    .object({ transactions: z.array(z.string()), after: z.number(), added: z.array(z.string()) })
    .nullable(),
  /** What was read of the block, where that is not all of it. */
  scan: z.union([logScan, z.object({ untraced: z.literal(true) })]).nullable(),
};
const parseBlock = rowParser("chain_blocks", json);

/** The stored block references: the maximum depth of a reorg that can be resolved from the database. */
export const retainedBlocks = 256;

export async function insertBlocks(db: Db, chain: string, blocks: StoredBlockRef[]): Promise<void> {
  const kept = blocks.slice(-retainedBlocks);
  if (kept.length === 0) return;
  await sql`
    insert into chain_blocks (chain, height, hash, parent_hash, block_time, seen, scan)
    select ${chain}, * from unnest(
      ${kept.map((block) => block.height)}::bigint[], ${kept.map((block) => block.hash)}::text[],
      ${kept.map((block) => block.parent_hash)}::text[],
      ${kept.map((block) => new Date(block.time * 1000))}::timestamptz[],
      ${kept.map((block) => (block.seen ? JSON.stringify(block.seen) : null))}::jsonb[],
      ${kept.map(({ scan, untraced }) => (scan ? JSON.stringify(scan) : untraced ? '{"untraced":true}' : null))}::jsonb[])`.execute(
    db,
  );
}

/** Lists the stored blocks of the followed branch, newest first. */
export async function listBlocks(db: Db, chain: string): Promise<StoredBlockRef[]> {
  const rows = await db
    .selectFrom("chain_blocks")
    .selectAll()
    .where("chain", "=", chain)
    .orderBy("height", "desc")
    .limit(retainedBlocks)
    .execute();
  return rows.map(parseBlock).map((row) => ({
    height: Number(row.height),
    hash: row.hash,
    parent_hash: row.parent_hash,
    time: Math.round(row.block_time.getTime() / 1000),
    ...(row.seen && { seen: row.seen }),
    ...(row.scan && ("untraced" in row.scan ? { untraced: true } : { scan: row.scan })),
  }));
}

export async function deleteBlocksAbove(db: Db, chain: string, height: number): Promise<void> {
  await db
    .deleteFrom("chain_blocks")
    .where("chain", "=", chain)
    .where("height", ">", String(height))
    .execute();
}

/** Deletes old blocks, except the newest at or below the height: where few blocks are stored, forks are searched from it. */
export async function deleteBlocksBelow(db: Db, chain: string, height: number): Promise<void> {
  await sql`
    delete from chain_blocks where chain = ${chain} and height <
      (select max(height) from chain_blocks where chain = ${chain} and height <= ${height})`.execute(db);
}
