import { ChainError } from "../../reader.ts";
import { EndpointFailure } from "../../rpc/failure.ts";
import type { Session } from "../../rpc/session.ts";
import { readBlockRef } from "./header.ts";

/**
 * Throws a ChainError when a missing block was replaced by a reorg since its reference was read. Trying other endpoints for an
 * orphaned block would only delay the new branch.
 */
export async function rejectOrphan(
  session: Session,
  at: { height: number; hash: string },
  failure: unknown,
): Promise<void> {
  if (!(failure instanceof EndpointFailure) || !["missing", "pruned"].includes(failure.kind)) return;
  const params = [`0x${at.height.toString(16)}`, false];
  const block = await session.request("eth_getBlockByNumber", params).catch(() => null);
  if (block !== null && readBlockRef(block).hash !== at.hash) {
    throw replacedBlock(at);
  }
}

export function replacedBlock({ height }: { height: number }): ChainError {
  return new ChainError(`Block ${height} was replaced by a reorg while it was read.`, "replaced");
}
