import type { ErrorClassifier } from "./classify-error.ts";
import { EndpointFailure, type RpcError } from "./failure.ts";

/** A method and its parameters. */
export type RpcCall = { method: string; params: unknown[] };

/** The result or the failure of one call. */
export type RpcReply = { result: unknown } | { failure: RpcError | EndpointFailure };

/** Matches replies to calls by id, in any order. A missing, duplicate or malformed reply is a failure of its call. */
export function matchReplies(
  calls: readonly RpcCall[],
  firstId: number,
  reply: unknown,
  classifyError: ErrorClassifier,
): RpcReply[] {
  const byId = new Map<number, unknown>();
  const duplicates = new Set<number>();
  for (const entry of Array.isArray(reply) ? reply : [reply]) {
    const id = idOf(entry);
    if (id === undefined) continue;
    if (byId.has(id)) duplicates.add(id);
    byId.set(id, entry);
  }
  return calls.map(({ method }, index) => {
    const id = firstId + index;
    if (duplicates.has(id)) return malformed(`replied twice to ${method}`);
    return readReply(method, byId.get(id), classifyError);
  });
}

/** The error in a reply to a whole batch, from an endpoint that does not support batches; undefined for a list. */
export function batchError(reply: unknown): unknown {
  if (Array.isArray(reply) || typeof reply !== "object" || reply === null) return undefined;
  return (reply as { error?: unknown }).error;
}

function idOf(entry: unknown): number | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const { id } = entry as { id?: unknown };
  // Some endpoints return numeric ids as text.
  const number = typeof id === "string" && id !== "" ? Number(id) : id;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
}

function readReply(method: string, entry: unknown, classifyError: ErrorClassifier): RpcReply {
  if (typeof entry !== "object" || entry === null) return malformed(`did not reply to ${method}`);
  const { result, error } = entry as { result?: unknown; error?: unknown };
  if (error !== undefined && error !== null) return { failure: classifyError(method, error) };
  if (result === undefined) return malformed(`replied to ${method} with neither a result nor an error`);
  return { result };
}

function malformed(what: string): RpcReply {
  return { failure: new EndpointFailure("malformed", what) };
}
