import type { ErrorClassifier } from "./classify-error.ts";
import { EndpointFailure, type RpcError } from "./failure.ts";

/** A method and its parameters. */
export type RpcCall = { method: string; params: unknown[] };

/** What one call came to. */
export type RpcReply = { result: unknown } | { failure: RpcError | EndpointFailure };

/** Gives each call its answer by id, whatever their order. What is absent, doubled or misshapen is a failure of that call. */
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
    if (duplicates.has(id)) return malformed(`answered ${method} twice`);
    return readReply(method, byId.get(id), classifyError);
  });
}

/** The error of an answer to a whole batch, as those send who take no batches; undefined when it is a list. */
export function batchError(reply: unknown): unknown {
  if (Array.isArray(reply) || typeof reply !== "object" || reply === null) return undefined;
  return (reply as { error?: unknown }).error;
}

function idOf(entry: unknown): number | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const { id } = entry as { id?: unknown };
  // Some endpoints hand numbers back as text.
  const number = typeof id === "string" && id !== "" ? Number(id) : id;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
}

function readReply(method: string, entry: unknown, classifyError: ErrorClassifier): RpcReply {
  if (typeof entry !== "object" || entry === null) return malformed(`did not answer ${method}`);
  const { result, error } = entry as { result?: unknown; error?: unknown };
  if (error !== undefined && error !== null) return { failure: classifyError(method, error) };
  if (result === undefined) return malformed(`answered ${method} with neither a result nor an error`);
  return { result };
}

function malformed(what: string): RpcReply {
  return { failure: new EndpointFailure("malformed", what) };
}
