import type { Hex, Read, ReadResult } from "../../block.ts";
import { RpcError } from "../../rpc/failure.ts";
import type { Session } from "../../rpc/session.ts";

/** Reads that are asked for at one block, and those that have come to something. */
export type PendingReads = {
  reads: readonly Read[];
  /** By place; absent while open. */
  results: Map<number, ReadResult>;
  at: { height: number; hash: string };
  /** How often a read met an error that may be the endpoint's or its own. */
  errors: Map<number, number>;
  /** The most gas that a call may burn; what the node allows unless said. */
  callGas?: number | undefined;
};

export function pendingIndexes({ reads, results }: PendingReads): number[] {
  return [...reads.keys()].filter((index) => !results.has(index));
}

/** The block as a parameter: by its hash, so that it is of the right branch, or by height where a node knows no better. */
export function blockParameter(session: Session, at: PendingReads["at"]): unknown {
  return isHashParameterUnsupported(session) ? `0x${at.height.toString(16)}` : { blockHash: at.hash };
}

const hashFeature = "state by block hash";

/** Whether the endpoint is known to take no block by its hash. */
export function isHashParameterUnsupported(session: Session): boolean {
  return session.lacks(hashFeature);
}

/** Whether an answer shows that the endpoint takes no block by its hash, which is then remembered. */
export function detectsNoHashSupport(session: Session, failure: unknown): boolean {
  const isMisunderstood =
    failure instanceof RpcError &&
    (failure.code === -32602 || failure.code === -32600 || notAnObject.test(failure.message));
  if (!isMisunderstood || isHashParameterUnsupported(session)) return false;
  session.markUnsupported(hashFeature);
  return true;
}

const notAnObject = /cannot unmarshal object|invalid argument 1|block ?hash|invalid block/i;

/** As bytes of a whole word, which is what a contract would return. */
export function asWord(quantity: string): Hex {
  return `0x${quantity.slice(2).padStart(64, "0").toLowerCase()}`;
}
