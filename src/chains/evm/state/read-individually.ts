import type { Read, ReadResult } from "../../block.ts";
import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { RpcCall, RpcReply } from "../../rpc/replies.ts";
import { resultOf, type Session } from "../../rpc/session.ts";
import { isRevert } from "../classify-error.ts";
import { readBytes } from "../values/raw.ts";
import {
  asWord,
  blockParameter,
  detectsNoHashSupport,
  failureResult,
  gasOf,
  type PendingReads,
  pendingIndexes,
  revertResult,
} from "./state-reads.ts";

/** Sends one call per pending read. Rejects when the endpoint leaves a read pending. */
export async function readIndividually(session: Session, reading: PendingReads): Promise<void> {
  const indexes = pendingIndexes(reading);
  if (indexes.length === 0) return;
  const block = blockParameter(session, reading.at);
  const replies = await session.batch(
    indexes.map((index) => callOf(reading.reads[index] as Read, block, reading.callGas)),
  );
  if (replies.some((reply) => "failure" in reply && detectsNoHashSupport(session, reply.failure))) {
    return readIndividually(session, reading);
  }
  let failure: EndpointFailure | undefined;
  for (const [order, reply] of replies.entries()) {
    failure = storeResult(reading, indexes[order] as number, reply) ?? failure;
  }
  if (failure) throw failure;
}

function callOf(read: Read, block: unknown, callGas: number): RpcCall {
  switch (read.kind) {
    case "call":
      return { method: "eth_call", params: [{ to: read.to, data: read.data, ...gasOf(callGas) }, block] };
    case "balance":
      return { method: "eth_getBalance", params: [read.address, block] };
    case "code":
      return { method: "eth_getCode", params: [read.address, block] };
    case "nonce":
      return { method: "eth_getTransactionCount", params: [read.address, block] };
    case "storage":
      return { method: "eth_getStorageAt", params: [read.address, read.slot, block] };
    default:
      throw new Error(`EVM chains do not support reads of kind ${read.kind}.`);
  }
}

/** An error that occurs twice is attributed to the read. */
const maxErrors = 2;

function storeResult(reading: PendingReads, index: number, reply: RpcReply): EndpointFailure | undefined {
  const result = outcome(reading.reads[index] as Read, reply);
  if (!(result instanceof EndpointFailure)) {
    reading.results.set(index, result);
    return undefined;
  }
  const errors = (reading.errors.get(index) ?? 0) + (result.kind === "error" ? 1 : 0);
  reading.errors.set(index, errors);
  reading.failures.set(index, result);
  if (errors < maxErrors) return result;
  reading.results.set(index, failureResult(result));
  return undefined;
}

function outcome(read: Read, reply: RpcReply): ReadResult | EndpointFailure {
  if ("failure" in reply) {
    const { failure } = reply;
    if (!(failure instanceof RpcError)) return failure;
    if (!isRevert(failure)) return new EndpointFailure("error", `returned error ${failure.code}`);
    return revertResult(failure.data, failure.message);
  }
  try {
    const result = resultOf(reply, read.kind, { mustExist: true });
    const isBytes = read.kind === "call" || read.kind === "code";
    return { ok: true, data: readBytes(isBytes ? result : asWord(String(result)), "state") };
  } catch (error) {
    if (error instanceof EndpointFailure) return error;
    throw error;
  }
}
