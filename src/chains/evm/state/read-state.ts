import type { Read, ReadResult } from "../../block.ts";
import type { Chain } from "../../chain.ts";
import { ChainError } from "../../reader.ts";
import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { Session } from "../../rpc/session.ts";
import { asEndpointFailure } from "../blocks/fetch-context.ts";
import { readBlockRef } from "../blocks/header.ts";
import { rejectOrphan, replacedBlock } from "../blocks/reject-orphan.ts";
import { readBatched } from "./read-batched.ts";
import { readIndividually } from "./read-individually.ts";
import { failureResult, isHashParameterUnsupported, type PendingReads } from "./state-reads.ts";

export type ReadStateOptions = {
  rpc: Rpc;
  chain: Chain;
  /** The gas limit of a call. */
  callGas: number;
  /** True if calls are sent through Multicall3, where an expensive one may use up the gas of the others. */
  usesMulticall: boolean;
  /** True if a read without a result gets a failure of its own. Otherwise the whole batch rejects with a ChainError. */
  failsIndividually: boolean;
};

/** The gas limit of a multicall: nodes allow at least this. */
const batchGas = 25_000_000;

/** Makes a reader of state at one block: through Multicall3 where it is deployed, then individually for the rest. */
export function makeReadState({
  rpc,
  chain,
  callGas,
  usesMulticall,
  failsIndividually: settlesEach,
}: ReadStateOptions) {
  const readTogether = readBatched(usesMulticall ? chain.multicall3 : null);
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
    const reading: PendingReads = {
      ...{ reads, at, callGas, batchGas },
      ...{ results: new Map(), errors: new Map(), failures: new Map() },
    };
    const work = async (session: Session) => {
      const attempt = { ...reading, results: new Map(reading.results) };
      const failure = await readFrom(session, attempt).catch((error: unknown) => error);
      const isFollowed = session.endpoint === (prefer ?? session.endpoint);
      if (isFollowed) await rejectOrphan(session, at, failure);
      if (isHashParameterUnsupported(session)) await ensureBranch(session, at, isFollowed);
      for (const [index, result] of attempt.results) reading.results.set(index, result);
      if (failure) throw failure;
    };
    const failed = await rpc.use(work, { prefer }).catch(asChainError);
    if (failed && (!settlesEach || failed.code === "replaced")) throw failed;
    return reads.map((_, index) => {
      const failure = reading.failures.get(index);
      return reading.results.get(index) ?? failureResult(failure, failed?.publicMessage);
    });
  };
}

function asChainError(error: unknown): ChainError {
  if (error instanceof ChainError) return error;
  if (error instanceof RpcError) return new ChainError("No endpoint supports the requests that read state.");
  throw error;
}

/** Verifies the branch after reading by height: on another branch, the block at that height has another hash. */
async function ensureBranch(session: Session, at: PendingReads["at"], isFollowed: boolean): Promise<void> {
  const params = [`0x${at.height.toString(16)}`, false];
  const block = await session
    .request("eth_getBlockByNumber", params, { mustExist: true })
    .catch((error: unknown) => {
      throw asEndpointFailure(error);
    });
  if (readBlockRef(block).hash === at.hash) return;
  if (isFollowed) throw replacedBlock(at);
  throw new EndpointFailure("missing", "follows another branch");
}
