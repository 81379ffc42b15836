import type { Hex } from "../../block.ts";
import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import { inParallel } from "../../rpc/in-parallel.ts";
import type { Session } from "../../rpc/session.ts";
import { decodeMulticall, encodeMulticall, type InnerCall, innerCall } from "./multicall.ts";
import {
  blockParameter,
  detectsNoHashSupport,
  gasOf,
  type PendingReads,
  pendingIndexes,
  revertResult,
} from "./state-reads.ts";

type BatchedCall = { index: number; call: InnerCall };

const maxCalls = 150;
const maxCallDataBytes = 48 * 1024;
const multicallFeature = "multicall";

/** Makes a reader that sends many calls through Multicall3. Calls that it leaves pending are read individually. */
export function readBatched(multicall3: Hex | null) {
  return async (session: Session, reading: PendingReads): Promise<void> => {
    if (!multicall3 || session.lacks(multicallFeature)) return;
    const batched = pendingIndexes(reading).flatMap((index): BatchedCall[] => {
      const read = reading.reads[index];
      const call = read && innerCall(read, multicall3);
      return call ? [{ index, call }] : [];
    });
    if (batched.length < 2) return;
    await inParallel(3, split(batched), (part) => readPart(session, reading, multicall3, part));
  };
}

function split(batched: readonly BatchedCall[]): BatchedCall[][] {
  const batches: BatchedCall[][] = [];
  let remainingBytes = 0;
  for (const batchedCall of batched) {
    const newest = batches.at(-1);
    const bytes = batchedCall.call.callData.length / 2 + 200;
    if (newest && newest.length < maxCalls && bytes <= remainingBytes) newest.push(batchedCall);
    else {
      batches.push([batchedCall]);
      remainingBytes = maxCallDataBytes;
    }
    remainingBytes -= bytes;
  }
  return batches;
}

async function readPart(
  session: Session,
  reading: PendingReads,
  to: Hex,
  batch: BatchedCall[],
): Promise<void> {
  const data = encodeMulticall(batch.map(({ call }) => call));
  const params = [{ to, data, ...gasOf(reading.batchGas) }, blockParameter(session, reading.at)];
  const reply = await session.request<Hex>("eth_call", params).catch((error: unknown) => error);
  if (typeof reply === "string") return storeResults(session, reading, batch, reply as Hex);
  if (detectsNoHashSupport(session, reply)) return readPart(session, reading, to, batch);
  const mayBeCausedByCalls =
    reply instanceof RpcError ||
    (reply instanceof EndpointFailure && (reply.kind === "error" || reply.kind === "too_large"));
  if (!mayBeCausedByCalls) throw reply;
  // The whole multicall failed, most likely out of gas; halves may succeed.
  if (batch.length < 4) return;
  const middle = Math.ceil(batch.length / 2);
  await readPart(session, reading, to, batch.slice(0, middle));
  await readPart(session, reading, to, batch.slice(middle));
}

function storeResults(session: Session, reading: PendingReads, part: BatchedCall[], reply: Hex): void {
  const results = decodeMulticall(reply, part.length);
  if (!results) session.markUnsupported(multicallFeature);
  for (const [order, { success, data }] of (results ?? []).entries()) {
    const { index } = part[order] as BatchedCall;
    if (success) reading.results.set(index, { ok: true, data });
    // Without a reason, another call may have used up the gas; this one is read individually.
    else if (data !== "0x") reading.results.set(index, revertResult(data));
  }
}
