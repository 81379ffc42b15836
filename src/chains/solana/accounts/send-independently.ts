import { EndpointFailure, type FailureKind, RpcError } from "../../rpc/failure.ts";
import type { RpcCall, RpcReply } from "../../rpc/replies.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { Session } from "../../rpc/session.ts";

/** Failures that concern what was asked for, and not the endpoint: other calls to it succeed. */
const ofTheCall: ReadonlySet<FailureKind> = new Set(["error", "unsupported", "pruned"]);

/** The number of endpoints that are asked for one call. */
const maxEndpoints = 3;

/**
 * Sends calls whose results are independent: a call that an endpoint fails to answer is sent to others, and gets its failure if
 * they fail too. Rejects with a ChainError only when no endpoint answers anything.
 */
export async function sendIndependently(
  rpc: Rpc,
  calls: readonly RpcCall[],
  prefer: number | undefined,
): Promise<RpcReply[]> {
  const replies: RpcReply[] = new Array(calls.length);
  let open = [...calls.keys()];
  let next = prefer;
  for (let asked = 0; open.length > 0 && asked < Math.min(maxEndpoints, rpc.endpoints); asked++) {
    const current = open;
    const work = async (session: Session) => ({
      endpoint: session.endpoint,
      received: orFailure(await session.batch(current.map((index) => calls[index] as RpcCall))),
    });
    const { endpoint, received } = await rpc.use(work, { prefer: next });
    for (const [order, index] of current.entries()) replies[index] = received[order] as RpcReply;
    open = current.filter((at) => isOpen(replies[at] as RpcReply));
    next = (endpoint + 1) % rpc.endpoints;
  }
  return replies;
}

/** Throws when nothing was answered because of the endpoint, so that another one is used. */
function orFailure(replies: RpcReply[]): RpcReply[] {
  const failures = replies.flatMap((reply) => ("failure" in reply ? [reply.failure] : []));
  const ofEndpoint = failures.find(
    (failure) => failure instanceof EndpointFailure && !ofTheCall.has(failure.kind),
  );
  if (ofEndpoint && failures.length === replies.length) throw ofEndpoint;
  return replies;
}

function isOpen(reply: RpcReply): boolean {
  return "failure" in reply && !(reply.failure instanceof RpcError);
}
