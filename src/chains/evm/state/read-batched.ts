import type { Hex } from "../../block.ts";
import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import { inParallel } from "../../rpc/in-parallel.ts";
import type { Session } from "../../rpc/session.ts";
import { revertReason } from "../abi/revert-reason.ts";
import { decodeMulticall, encodeMulticall, type InnerCall, innerCall } from "./multicall.ts";
import { blockParameter, learnsNoHash, type PendingReads, pendingIndexes } from "./state-reads.ts";

type Placed = { place: number; call: InnerCall };

const maxCalls = 150;
const maxCallDataBytes = 48 * 1024;
const absent = "multicall";

/** Makes the reader of many calls at once. It settles what it can; what it leaves open is read by itself. */
export function readBatched(multicall3: Hex | null) {
  return async (session: Session, reading: PendingReads): Promise<void> => {
    if (!multicall3 || session.lacks(absent)) return;
    const placed = pendingIndexes(reading).flatMap((place): Placed[] => {
      const read = reading.reads[place];
      const call = read && innerCall(read, multicall3);
      return call ? [{ place, call }] : [];
    });
    if (placed.length < 2) return;
    await inParallel(3, split(placed), (part) => readPart(session, reading, multicall3, part));
  };
}

function split(placed: readonly Placed[]): Placed[][] {
  const parts: Placed[][] = [];
  let room = 0;
  for (const one of placed) {
    const part = parts.at(-1);
    const weight = one.call.callData.length / 2 + 200;
    if (part && part.length < maxCalls && weight <= room) part.push(one);
    else {
      parts.push([one]);
      room = maxCallDataBytes;
    }
    room -= weight;
  }
  return parts;
}

async function readPart(session: Session, reading: PendingReads, to: Hex, part: Placed[]): Promise<void> {
  const data = encodeMulticall(part.map(({ call }) => call));
  const params = [{ to, data }, blockParameter(session, reading.at)];
  const answer = await session.request<Hex>("eth_call", params).catch((error: unknown) => error);
  if (typeof answer === "string") return settle(session, reading, part, answer as Hex);
  if (learnsNoHash(session, answer)) return readPart(session, reading, to, part);
  const mayBeOfTheCalls =
    answer instanceof RpcError ||
    (answer instanceof EndpointFailure && (answer.kind === "error" || answer.kind === "too_large"));
  if (!mayBeOfTheCalls) throw answer;
  // All of it failed, most likely out of gas: two halves may not.
  if (part.length < 4) return;
  const middle = Math.ceil(part.length / 2);
  await readPart(session, reading, to, part.slice(0, middle));
  await readPart(session, reading, to, part.slice(middle));
}

function settle(session: Session, reading: PendingReads, part: Placed[], answer: Hex): void {
  const results = decodeMulticall(answer, part.length);
  if (!results) session.markUnsupported(absent);
  for (const [order, { success, data }] of (results ?? []).entries()) {
    const { place } = part[order] as Placed;
    if (success) reading.results.set(place, { ok: true, data });
    // Without a reason it may have failed because another call had used up the gas; that one is asked by itself.
    else if (data !== "0x") reading.results.set(place, { ok: false, problem: revertReason(data) });
  }
}
