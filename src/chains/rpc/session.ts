import type { Endpoint } from "./endpoint/endpoint.ts";
import { EndpointFailure } from "./failure.ts";
import type { RpcCall, RpcReply } from "./replies.ts";

/** One endpoint for the duration of a task, so that all replies come from the same node. */
export type Session = {
  endpoint: number;
  /** Resolves with the result; rejects with RpcError or EndpointFailure. */
  request<Result>(method: string, params: unknown[], options?: RequestOptions): Promise<Result>;
  /** Returns a result or a failure for each call. */
  batch(calls: readonly RpcCall[]): Promise<RpcReply[]>;
  lacks(feature: string): boolean;
  markUnsupported(feature: string): void;
  memory: Map<string, number>;
};

/** `mustExist`: the caller knows that the result exists, so an endpoint that returns null lags. */
export type RequestOptions = { mustExist?: boolean };

export function openSession(endpoint: Endpoint, deadlineMs: () => number): Session {
  const batch = (calls: readonly RpcCall[]) => endpoint.call(calls, deadlineMs());
  return {
    endpoint: endpoint.index,
    batch,
    async request<Result>(method: string, params: unknown[], options: RequestOptions = {}) {
      const [reply] = await batch([{ method, params }]);
      return resultOf(reply, method, options) as Result;
    },
    lacks: (feature) => endpoint.unsupported.has(feature),
    markUnsupported: (feature) => endpoint.unsupported.add(feature),
    memory: endpoint.memory,
  };
}

/** Returns the result of a reply, or throws its failure. */
export function resultOf(reply: RpcReply | undefined, method: string, options: RequestOptions = {}): unknown {
  if (!reply) throw new EndpointFailure("malformed", `did not reply to ${method}`);
  if ("failure" in reply) throw reply.failure;
  if (reply.result === null && options.mustExist) {
    throw new EndpointFailure("missing", `has no result for ${method} yet`);
  }
  return reply.result;
}
