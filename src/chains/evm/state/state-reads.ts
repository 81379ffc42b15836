import type { Hex, Read, ReadResult } from "../../block.ts";
import { RpcError } from "../../rpc/failure.ts";
import type { Session } from "../../rpc/session.ts";

/** A batch of reads at one block, with the results so far. */
export type PendingReads = {
  reads: readonly Read[];
  /** By the index of the read; absent while pending. */
  results: Map<number, ReadResult>;
  at: { height: number; hash: string };
  /** The number of errors per read that either the endpoint or the read may have caused. */
  errors: Map<number, number>;
  /** The gas limit of a call; the node's own limit by default. */
  callGas?: number | undefined;
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
    failure instanceof RpcError &&
    (failure.code === -32602 || failure.code === -32600 || notAnObject.test(failure.message));
  if (!isMisunderstood || isHashParameterUnsupported(session)) return false;
  session.markUnsupported(hashFeature);
  return true;
}

const notAnObject = /cannot unmarshal object|invalid argument 1|block ?hash|invalid block/i;

/** Pads a quantity to a word of 32 bytes, as a contract would return it. */
export function asWord(quantity: string): Hex {
  return `0x${quantity.slice(2).padStart(64, "0").toLowerCase()}`;
}
