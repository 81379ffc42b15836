import type { Block, Hex, InternalCall } from "../block.ts";
import { readAddress } from "./address.ts";
import { EndpointFailure, RpcError } from "./rpc/failure.ts";
import { resultOf, type Session } from "./rpc/session.ts";

const method = "debug_traceBlockByHash";
/** Deeper and longer than any real transaction's. */
const mostDepth = 1_100;
const mostCalls = 200_000;

/**
 * Adds to blocks the calls that contracts made, from one endpoint. One that gives no traces leaves the blocks as they are,
 * and whoever needed them is told; any other failure is thrown, so that no block is taken for one without calls.
 */
export async function addTraces(session: Session, blocks: readonly Block[]): Promise<Block[]> {
  if (session.lacks(method)) return [...blocks];
  const asked = blocks.filter(({ transactions }) => transactions.length > 0);
  const params = (hash: string) => [hash, { tracer: "callTracer" }];
  const answers = await session.batch(asked.map(({ hash }) => ({ method, params: params(hash) })));
  if (answers.some((answer) => "failure" in answer && isUnknown(answer.failure))) {
    session.noteLack(method);
    return [...blocks];
  }
  const found = new Map(
    asked.map((block, at) => [
      block.hash,
      readTraces(resultOf(answers[at], method, { mustExist: true }), block),
    ]),
  );
  return blocks.map((block) => ({ ...block, internal_calls: found.get(block.hash) ?? [] }));
}

function isUnknown(failure: Error): boolean {
  return (
    failure instanceof RpcError || (failure instanceof EndpointFailure && failure.kind === "unsupported")
  );
}

/** The calls inside a block's transactions, in their order. Throws when the answer is not about these transactions. */
export function readTraces(result: unknown, block: Pick<Block, "transactions">): InternalCall[] {
  if (!Array.isArray(result) || result.length !== block.transactions.length) {
    throw new EndpointFailure("malformed", `did not answer ${method} for every transaction`);
  }
  const calls: InternalCall[] = [];
  for (const [index, entry] of result.entries()) {
    const tx = block.transactions[index] as Block["transactions"][number];
    const { result: top, txHash } = fieldsOf(entry);
    if (txHash !== undefined && String(txHash).toLowerCase() !== tx.hash) {
      throw new EndpointFailure("inconsistent", `answered ${method} for other transactions`);
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
    if (calls.length > mostCalls)
      throw new EndpointFailure("too_large", `answered ${method} with too many calls`);
    if (Array.isArray(frame.calls) && stack.length < mostDepth) stack.push({ frames: frame.calls, next: 0 });
  }
}

/** Code that runs in the name of another contract is not a call of it. */
function readCall(
  frame: Record<string, unknown>,
  tx: Pick<InternalCall, "tx_hash" | "tx_index">,
): InternalCall | undefined {
  const type = String(frame.type).toUpperCase();
  if (type !== "CALL" && type !== "STATICCALL") return undefined;
  const [from, to] = [readAddress(String(frame.from)), readAddress(String(frame.to))];
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
