import type { Block, Hex, InternalCall } from "../../block.ts";
import { EndpointFailure } from "../../rpc/failure.ts";
import { inParallel } from "../../rpc/in-parallel.ts";
import type { Session } from "../../rpc/session.ts";
import { parseAddress } from "../values/address.ts";

/** The only method that is used for traces. */
export const traceMethod = "debug_traceBlockByHash";
/** Beyond any real transaction. */
const maxDepth = 1_100;
const maxCalls = 200_000;
/** Traces are the most expensive requests for a node. */
const maxParallel = 4;

export type TraceContext = {
  session: Session;
  /** Receives the calls of each traced block. */
  onCalls(block: Block, calls: InternalCall[]): void;
};

/** The endpoint does not support traces. */
export class TracesUnsupported extends EndpointFailure {
  constructor() {
    super("unsupported", `does not support ${traceMethod}`);
  }
}

/**
 * Fetches the internal calls of blocks from one endpoint. Rejects with the first failure when a block could not be traced;
 * the caller fetches the rest from another endpoint.
 */
export async function fetchTraces(
  { session, onCalls }: TraceContext,
  blocks: readonly Block[],
): Promise<void> {
  if (session.lacks(traceMethod)) throw new TracesUnsupported();
  const failures: unknown[] = [];
  // One request per block: a block that is too expensive to trace must not fail the others.
  await inParallel(maxParallel, blocks, async (block) => {
    if (failures.length >= maxParallel) return;
    try {
      onCalls(block, await fetchOne(session, block));
    } catch (error) {
      failures.push(error);
    }
  });
  if (failures.length > 0) throw failures[0];
}

async function fetchOne(session: Session, block: Block): Promise<InternalCall[]> {
  if (block.transactions.length === 0) return [];
  const params = [block.hash, { tracer: "callTracer" }];
  const failed = (error: unknown) => {
    if (!isUnsupported(error)) throw error;
    session.markUnsupported(traceMethod);
    throw new TracesUnsupported();
  };
  return readTraces(await session.request(traceMethod, params, { mustExist: true }).catch(failed), block);
}

function isUnsupported(failure: unknown): boolean {
  return failure instanceof EndpointFailure && failure.kind === "unsupported";
}

/** Reads the internal calls of a block, in order. Throws when the reply is about other transactions. */
export function readTraces(result: unknown, block: Pick<Block, "transactions">): InternalCall[] {
  if (!Array.isArray(result) || result.length !== block.transactions.length) {
    throw new EndpointFailure("malformed", `did not return a trace for every transaction in ${traceMethod}`);
  }
  const calls: InternalCall[] = [];
  for (const [index, entry] of result.entries()) {
    const tx = block.transactions[index] as Block["transactions"][number];
    const { result: top, txHash } = fieldsOf(entry);
    if (txHash !== undefined && String(txHash).toLowerCase() !== tx.hash) {
      throw new EndpointFailure("inconsistent", `returned traces of other transactions in ${traceMethod}`);
    }
    collect(fieldsOf(top ?? entry).calls, { tx_hash: tx.hash, tx_index: tx.index }, calls);
  }
  return calls;
}

type Frame = { frames: unknown[]; next: number };

/** Walks the tree without recursion: a hostile contract chooses its depth. */
function collect(
  first: unknown,
  tx: Pick<InternalCall, "tx_hash" | "tx_index">,
  calls: InternalCall[],
): void {
  const stack: Frame[] = [{ frames: Array.isArray(first) ? first : [], next: 0 }];
  while (stack.length > 0) {
    const top = stack.at(-1) as Frame;
    if (top.next >= top.frames.length) {
      stack.pop();
      continue;
    }
    const frame = fieldsOf(top.frames[top.next++]);
    const call = readCall(frame, tx);
    if (call) calls.push(call);
    if (calls.length > maxCalls)
      throw new EndpointFailure("too_large", `returned too many calls in ${traceMethod}`);
    if (Array.isArray(frame.calls) && stack.length < maxDepth) stack.push({ frames: frame.calls, next: 0 });
  }
}

/** Skips delegate calls, which run the code of another contract but do not call it. */
function readCall(
  frame: Record<string, unknown>,
  tx: Pick<InternalCall, "tx_hash" | "tx_index">,
): InternalCall | undefined {
  const type = String(frame.type).toUpperCase();
  if (type !== "CALL" && type !== "STATICCALL") return undefined;
  const [from, to] = [parseAddress(String(frame.from)), parseAddress(String(frame.to))];
  if (!from || !to || typeof frame.input !== "string" || !/^0x[0-9a-f]*$/i.test(frame.input))
    return undefined;
  const value =
    typeof frame.value === "string" && /^0x[0-9a-f]+$/i.test(frame.value) ? BigInt(frame.value) : 0n;
  return {
    ...tx,
    from,
    to,
    input: frame.input.toLowerCase() as Hex,
    value,
    is_success: frame.error === undefined,
  };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
