import { EndpointFailure } from "../failure.ts";
import type { RpcCall, RpcReply } from "../replies.ts";

/**
 * The methods that an endpoint has served. Plans often reject a method that they lack with the status of a wrong key, such as
 * 403. Where other methods are served, the key is right and the method is what is missing.
 */
export class ServedMethods {
  private readonly served = new Set<string>();

  /** Returns the replies with refusals of a method that was never served as `unsupported`. */
  explain(calls: readonly RpcCall[], replies: RpcReply[]): RpcReply[] {
    for (const [index, reply] of replies.entries())
      if (!("failure" in reply)) this.served.add(calls[index]?.method ?? "");
    const [method = "", ...others] = new Set(calls.map((call) => call.method));
    const isOther = others.length > 0 || this.served.size === 0 || this.served.has(method);
    if (isOther) return replies;
    return replies.map((reply) => (isRefused(reply) ? unsupportedReply(method) : reply));
  }
}

export function unsupportedReply(method: string): RpcReply {
  return { failure: new EndpointFailure("unsupported", `does not support ${method}`) };
}

function isRefused(reply: RpcReply): boolean {
  return "failure" in reply && reply.failure instanceof EndpointFailure && reply.failure.kind === "refused";
}
