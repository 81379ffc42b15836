import type { Hex, Read, ReadFailureCode, ReadResult } from "../../block.ts";
import { type EndpointFailure, type FailureKind, RpcError, UnexplainedError } from "../../rpc/failure.ts";
import type { Session } from "../../rpc/session.ts";
import { revertReason } from "../abi/revert-reason.ts";

/** A batch of reads at one block, with the results so far. */
export type PendingReads = {
  reads: readonly Read[];
  /** By the index of the read; absent while pending. */
  results: Map<number, ReadResult>;
  at: { height: number; hash: string };
  /** The number of errors per read that either the endpoint or the read may have caused. */
  errors: Map<number, number>;
  /** The newest failure of each read. */
  failures: Map<number, EndpointFailure>;
  /** The gas limit of a call, so that a contract that loops does not keep a node busy. */
  callGas: number;
  /** The gas limit of a multicall. */
  batchGas: number;
};

export function gasOf(gas: number): { gas: Hex } {
  return { gas: `0x${gas.toString(16)}` };
}

export function revertResult(data: unknown, message?: string): ReadResult {
  return { ok: false, code: "reverted", problem: revertReason(data, message) };
}

/** The result of a read that endpoints failed to perform. Without a failure of its own, it has that of the whole batch. */
export function failureResult(failure: EndpointFailure | undefined, batchProblem = ""): ReadResult {
  if (!failure) return { ok: false, code: "unavailable", problem: batchProblem };
  const code = failureCodes[failure.kind] ?? "unavailable";
  return { ok: false, code, problem: `The node ${failure.message}.` };
}

const failureCodes: Partial<Record<FailureKind, ReadFailureCode>> = {
  limited: "limited",
  timeout: "timed_out",
  deadline: "timed_out",
};

export function pendingIndexes({ reads, results }: PendingReads): number[] {
  return [...reads.keys()].filter((index) => !results.has(index));
}

/** The block parameter: the hash, which pins the branch, or the height for nodes without support for hashes. */
export function blockParameter(session: Session, at: PendingReads["at"]): unknown {
  return isHashParameterUnsupported(session) ? `0x${at.height.toString(16)}` : { blockHash: at.hash };
}

const hashFeature = "state by block hash";

/** True if the endpoint is known not to accept a block hash as the block parameter. */
export function isHashParameterUnsupported(session: Session): boolean {
  return session.lacks(hashFeature);
}

/** Returns whether a failure shows that the endpoint does not accept a block hash, and records that. */
export function detectsNoHashSupport(session: Session, failure: unknown): boolean {
  const isMisunderstood =
    (failure instanceof RpcError &&
      (failure.code === -32602 || failure.code === -32600 || notAnObject.test(failure.message))) ||
    // Some nodes use their general error code; the classifier keeps only the kind and the message.
    (failure instanceof UnexplainedError && notAnObject.test(failure.text));
  if (!isMisunderstood || isHashParameterUnsupported(session)) return false;
  session.markUnsupported(hashFeature);
  return true;
}

const notAnObject = /cannot unmarshal object|invalid argument 1|block ?hash|invalid block/i;

/** Pads a quantity to a word of 32 bytes, as a contract would return it. */
export function asWord(quantity: string): Hex {
  return `0x${quantity.slice(2).padStart(64, "0").toLowerCase()}`;
}
