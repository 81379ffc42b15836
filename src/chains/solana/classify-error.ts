import { classifyRpcError, isRateLimit } from "../rpc/classify-error.ts";
import { EndpointFailure, RpcError } from "../rpc/failure.ts";

/** Decides who is at fault for an error of a Solana node, whose codes differ from those of other JSON-RPC nodes. */
export function classifySolanaError(method: string, error: unknown): RpcError | EndpointFailure {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const number = Number(code);
  if (rateLimitCodes.has(number) || (ambiguousCodes.has(number) && isRateLimit(String(message))))
    return new EndpointFailure("limited", "asks to slow down");
  const fault = faults.get(number);
  if (fault === "request")
    return new RpcError(number, typeof message === "string" ? message.slice(0, 300) : "");
  if (fault) return new EndpointFailure(fault.kind, fault.message);
  return classifyRpcError(method, error);
}

/** A slot without a block, and a transaction of an unsupported version, are results and not failures. */
export const skippedSlotCodes = new Set([-32007, -32009]);
export const unsupportedVersionCode = -32015;
/** The node does not know the transaction at which a listing should begin or end. */
export const unknownFilterCode = -32020;
const rateLimitCodes = new Set([-32429, -32029]);
/** Codes of nodes that some providers use for their rate limit; the message tells which is meant. */
const ambiguousCodes = new Set([-32007, -32005]);

type Fault = { kind: EndpointFailure["kind"]; message: string };
const lagging: Fault = { kind: "missing", message: "lags behind" };
const withoutHistory: Fault = { kind: "missing", message: "does not keep data that old" };

const faults = new Map<number, Fault | "request">([
  [-32007, "request"],
  [-32009, "request"],
  [unsupportedVersionCode, "request"],
  [-32602, "request"],
  // The index leaves this account out, or a search of it is too large: other accounts can be searched.
  [-32010, "request"],
  [-32012, "request"],
  [unknownFilterCode, "request"],
  [-32001, withoutHistory],
  [-32011, withoutHistory],
  [-32019, withoutHistory],
  [-32021, lagging],
  [-32004, lagging],
  [-32014, lagging],
  [-32016, lagging],
  [-32005, { kind: "down", message: "is not healthy" }],
]);
