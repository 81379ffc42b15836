import { classifyRpcError } from "../rpc/classify-error.ts";
import { EndpointFailure, RpcError } from "../rpc/failure.ts";

/** Decides who is at fault for an error of a Solana node, whose codes differ from those of other JSON-RPC nodes. */
export function classifySolanaError(method: string, error: unknown): RpcError | EndpointFailure {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const number = Number(code);
  const fault = faults.get(number);
  if (fault === "request")
    return new RpcError(number, typeof message === "string" ? message.slice(0, 300) : "");
  if (fault) return new EndpointFailure(fault.kind, fault.message);
  return classifyRpcError(method, error);
}

/** A slot without a block, and a transaction of an unsupported version, are results and not failures. */
export const skippedSlotCodes = new Set([-32007, -32009]);
export const unsupportedVersionCode = -32015;

type Fault = { kind: EndpointFailure["kind"]; message: string };
const lagging: Fault = { kind: "missing", message: "lags behind" };
const withoutHistory: Fault = { kind: "missing", message: "does not keep data that old" };

const faults = new Map<number, Fault | "request">([
  [-32007, "request"],
  [-32009, "request"],
  [unsupportedVersionCode, "request"],
  [-32602, "request"],
  [-32001, withoutHistory],
  [-32011, withoutHistory],
  [-32019, withoutHistory],
  [-32021, lagging],
  [-32004, lagging],
  [-32014, lagging],
  [-32016, lagging],
  [-32005, { kind: "down", message: "is not healthy" }],
  [-32010, { kind: "unsupported", message: "does not index this address" }],
]);
