import { ChainError } from "../../reader.ts";
import { EndpointFailure } from "../../rpc/failure.ts";
import type { Session } from "../../rpc/session.ts";
import { readBlockRef } from "./header.ts";

/**
 * Whoever shows us the head may have left the block since. Then nobody needs to know more of it, and asking around for it
 * would only hold up what the new branch brings.
 */
export async function rejectOrphan(
  session: Session,
  at: { height: number; hash: string },
  failure: unknown,
): Promise<void> {
  if (!(failure instanceof EndpointFailure) || failure.kind !== "missing") return;
  const params = [`0x${at.height.toString(16)}`, false];
  const block = await session.request("eth_getBlockByNumber", params).catch(() => null);
  if (block !== null && readBlockRef(block).hash !== at.hash) {
    throw new ChainError(`Block ${at.height} was replaced while it was read.`);
  }
}
