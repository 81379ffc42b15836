import { type EndpointFailure, RpcError } from "./failure.ts";
import type { RpcCall } from "./replies.ts";
import type { Session } from "./session.ts";

export type BatchResult = { ok: true; result: unknown } | { ok: false; error: RpcError };

type Use = <Result>(work: (session: Session) => Promise<Result>) => Promise<Result>;

/** Asks many things at once; what one endpoint leaves open is asked of the next. */
export async function batch(calls: readonly RpcCall[], use: Use): Promise<BatchResult[]> {
  const results: BatchResult[] = new Array(calls.length);
  const open = new Set(calls.keys());
  await use(async (session) => {
    const places = [...open];
    const answers = await session.batch(places.map((at) => calls[at] as RpcCall));
    let failure: EndpointFailure | undefined;
    for (const [order, answer] of answers.entries()) {
      const at = places[order] as number;
      if ("result" in answer) results[at] = { ok: true, result: answer.result };
      else if (answer.failure instanceof RpcError) results[at] = { ok: false, error: answer.failure };
      else {
        failure = answer.failure;
        continue;
      }
      open.delete(at);
    }
    if (failure) throw failure;
  });
  return results;
}
