import type { Read, ReadResult } from "../../block.ts";
import type { Chain } from "../../chain.ts";
import { ChainError } from "../../reader.ts";
import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { Session } from "../../rpc/session.ts";
import { asEndpointFailure } from "../blocks/fetch-context.ts";
import { readBlockRef } from "../blocks/header.ts";
import { rejectOrphan } from "../blocks/reject-orphan.ts";
import { readBatched } from "./read-batched.ts";
import { readIndividually } from "./read-individually.ts";
import { isHashParameterUnsupported, type PendingReads } from "./state-reads.ts";

/** Makes a reader of state at one block: through Multicall3 where it is deployed, then individually for the rest. */
export function makeReadState(rpc: Rpc, chain: Chain, callGas?: number) {
  // With a gas limit, one expensive call would use up the gas of the others in a multicall.
  const readTogether = readBatched(callGas === undefined ? chain.multicall3 : null);
  const readFrom = async (session: Session, reading: PendingReads) => {
    await readTogether(session, reading);
    await readIndividually(session, reading);
  };
  return async (
    reads: readonly Read[],
    at: { height: number; hash: string },
    prefer: number | undefined,
  ): Promise<ReadResult[]> => {
    if (reads.length === 0) return [];
    const reading: PendingReads = { reads, results: new Map(), errors: new Map(), at, callGas };
    const work = async (session: Session) => {
      const attempt = { ...reading, results: new Map(reading.results) };
      const failure = await readFrom(session, attempt).catch((error: unknown) => error);
      if (session.endpoint === (prefer ?? session.endpoint)) await rejectOrphan(session, at, failure);
      if (isHashParameterUnsupported(session)) await ensureBranch(session, at);
      for (const [index, result] of attempt.results) reading.results.set(index, result);
      if (failure) throw failure;
    };
    await rpc.use(work, { prefer }).catch((error: unknown) => {
      if (error instanceof RpcError)
        throw new ChainError("No endpoint supports the requests that read state.");
      throw error;
    });
    return reads.map((_, index) => reading.results.get(index) as ReadResult);
  };
}

/** Verifies the branch after reading by height: on another branch, the block at that height has another hash. */
async function ensureBranch(session: Session, at: PendingReads["at"]): Promise<void> {
  const params = [`0x${at.height.toString(16)}`, false];
  const block = await session
    .request("eth_getBlockByNumber", params, { mustExist: true })
    .catch((error: unknown) => {
      throw asEndpointFailure(error);
    });
  if (readBlockRef(block).hash !== at.hash) throw new EndpointFailure("missing", "follows another branch");
}
