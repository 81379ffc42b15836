import { type App, newId } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { familyOf } from "../../chains/families.ts";
import type { BlockRef } from "../../chains/reader.ts";
import { AppError } from "../../errors/app-error.ts";
import { deleteBlocksAbove } from "../../store/engine/blocks.ts";
import { insertGap } from "../../store/engine/chain-gaps.ts";
import { type Cursor, findCursor, revokeLease, setCursor } from "../../store/engine/cursors.ts";
import type { SystemCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";

/** The blocks that were skipped. */
export type SkippedBlocks = { from: number; to: number };

/**
 * Continues a chain after a block, without the blocks in between, which no node has any more. The gap is recorded in the audit
 * log and shown with the chain, and the orgs that monitor it are notified. A process that follows the chain starts over.
 */
export async function skipBlocks(
  app: App,
  caller: SystemCaller,
  chain: Chain,
  to: number,
): Promise<SkippedBlocks> {
  const before = await findCursor(app.db, chain.chain);
  if (!before)
    throw new AppError(
      "bad_request",
      `${chain.name} has not been followed yet, so there is nothing to skip.`,
    );
  checkHeight(chain, before, to);
  const target = await readTarget(app, chain, to);
  return inTransaction(app, caller, async (tx, { audit }) => {
    // A process that follows the chain cannot commit under its old token any more.
    await revokeLease(tx, chain.chain);
    const cursor = (await findCursor(tx, chain.chain)) ?? before;
    checkHeight(chain, cursor, to);
    await deleteBlocksAbove(tx, chain.chain, -1);
    await setCursor(tx, chain.chain, target, app.clock.now());
    const gap = { from: cursor.height + 1, to };
    await insertGap(tx, { id: newId(app), chain: chain.chain, ...gap, created_at: app.clock.now() });
    audit({
      org_id: null,
      action: "chain.skipped",
      subject: { type: "chain", id: chain.chain },
      details: { from_block: gap.from, to_block: gap.to },
    });
    return gap;
  });
}

function checkHeight(chain: Chain, { height }: Cursor, to: number): void {
  if (to > height) return;
  throw new AppError(
    "bad_request",
    `${chain.name} was processed up to block ${height}, so a skip must end at a later block than ${to}.`,
  );
}

async function readTarget(app: App, chain: Chain, to: number): Promise<BlockRef> {
  const urls = app.config.rpc.get(chain.chain);
  if (!urls) throw new AppError("bad_request", `No RPC endpoint is configured for ${chain.name}.`);
  const reader = familyOf(chain).openReader({
    ...{ chain, urls, clock: app.clock, log: app.log },
    counter: app.calls.of(chain.chain),
  });
  try {
    const ref = await reader.blockRef(to);
    if (!ref) throw new AppError("bad_request", `${chain.name} has no block ${to} yet.`);
    return ref;
  } finally {
    await reader.close();
  }
}
