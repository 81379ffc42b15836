import { type App, newId } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { type BlockRef, ChainError, type ChainReader, PrunedHistory } from "../../chains/reader.ts";
import { deleteBlocksAbove } from "../../store/engine/blocks.ts";
import { insertGap } from "../../store/engine/chain-gaps.ts";
import { findCursor, moveCursor } from "../../store/engine/cursors.ts";
import { insertAuditEntries } from "../../store/orgs/audit-log.ts";
import { LeaseLost } from "../commit/commit.ts";

/** The nodes go on pruning while the rest is read, so the oldest minute that they have is skipped as well. */
const marginBlocks = 150;

/**
 * Continues a chain after the blocks that no node has any more. The gap is recorded in the audit log and shown with the chain,
 * and the orgs that monitor it are notified. The state has to be loaded again afterwards.
 */
export async function skipPruned(
  app: App,
  { chain, name }: Chain,
  reader: ChainReader,
  { oldest }: PrunedHistory,
  lease: { fence: number },
): Promise<void> {
  const head = await reader.head();
  const to = Math.min(head.height, oldest + marginBlocks);
  const target = (await reader.blockRef(to)) ?? head;
  const before = await findCursor(app.db, chain);
  if (!before || before.height >= target.height) return;
  const gap = { from: before.height + 1, to: target.height };
  const created_at = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    if (!(await moveCursor(tx, chain, target, lease, created_at))) throw new LeaseLost(chain);
    await deleteBlocksAbove(tx, chain, -1);
    await insertGap(tx, { id: newId(app), chain, ...gap, created_at });
    await insertAuditEntries(tx, [
      {
        id: newId(app),
        org_id: null,
        actor_type: "system",
        action: "chain.skipped",
        subject_type: "chain",
        subject_id: chain,
        details: JSON.stringify({ from_block: gap.from, to_block: gap.to }),
        created_at,
      },
    ]);
  });
  app.log.warn({ chain, ...gap }, `no node has these blocks of ${name} any more, they are skipped`);
}

/** A retry does not help when no node has the blocks any more, so the error says what does. */
export function explainPruned(chain: Chain, error: unknown, at: { next: number; head: BlockRef }): never {
  // A reader that knows the oldest block that is left continues there without an operator.
  if (!(error instanceof ChainError) || error.code !== "pruned" || error instanceof PrunedHistory)
    throw error;
  throw new ChainError(
    `No node has block ${at.next} any more, because their history is pruned. Configure a node with the whole ` +
      `history, or continue without these blocks: tocsin chain skip ${chain.chain} --to ${at.head.height}.`,
    "pruned",
  );
}
