import { type EndpointFailure, RpcError } from "./failure.ts";
import type { RpcCall } from "./replies.ts";
import type { Session } from "./session.ts";

export type BatchResult = { ok: true; result: unknown } | { ok: false; error: RpcError };

type Use = <Result>(work: (session: Session) => Promise<Result>) => Promise<Result>;

/** Sends calls in a batch; calls that one endpoint leaves open are sent to the next. */
export async function batch(calls: readonly RpcCall[], use: Use): Promise<BatchResult[]> {
  const results: BatchResult[] = new Array(calls.length);
  const open = new Set(calls.keys());
  await use(async (session) => {
    const indexes = [...open];
    const replies = await session.batch(indexes.map((index) => calls[index] as RpcCall));
    let failure: EndpointFailure | undefined;
    for (const [order, reply] of replies.entries()) {
      const at = indexes[order] as number;
      if ("result" in reply) results[at] = { ok: true, result: reply.result };
      else if (reply.failure instanceof RpcError) results[at] = { ok: false, error: reply.failure };
      else {
        failure = reply.failure;
        continue;
      }
      open.delete(at);
    }
    if (failure) throw failure;
  });
  return results;
}
