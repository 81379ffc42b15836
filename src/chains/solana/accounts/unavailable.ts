import type { ReadResult } from "../../block.ts";
import { ChainError } from "../../reader.ts";
import { RpcError } from "../../rpc/failure.ts";

/** The result of a read that the nodes do not answer. */
export function unavailable(problem: string): ReadResult {
  return { ok: false, code: "unavailable", problem };
}

/** Runs a search in the transactions of an address. A failure of the nodes is its result, so that other reads go on. */
export async function orUnavailable(search: () => Promise<ReadResult>): Promise<ReadResult> {
  try {
    return await search();
  } catch (error) {
    if (error instanceof RpcError) return unavailable(`the node returned error ${error.code}`);
    if (error instanceof ChainError) return unavailable("no node lists the transactions of the address");
    throw error;
  }
}
