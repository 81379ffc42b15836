import { classifyEvmError } from "../rpc/classify-error.ts";
import { EndpointFailure, RpcError } from "../rpc/failure.ts";

/** Whose fault an error is that a Solana node answers with; its codes mean other things than on EVM chains. */
export function classifySolanaError(method: string, error: unknown): RpcError | EndpointFailure {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const number = Number(code);
  const text = typeof message === "string" ? message.slice(0, 300) : "";
  const known = kinds.get(number);
  if (known === "request") return new RpcError(number, text);
  if (known) return new EndpointFailure(known.kind, known.says);
  return classifyEvmError(method, error);
}

/** A slot without a block, or a transaction of a version that we do not know, is an answer and no failure. */
export const skippedSlot = new Set([-32007, -32009]);
export const unknownVersion = -32015;

type Kind = { kind: EndpointFailure["kind"]; says: string };
const lagging: Kind = { kind: "missing", says: "lags behind" };
const withoutHistory: Kind = { kind: "missing", says: "does not keep what is that old" };

const kinds = new Map<number, Kind | "request">([
  [-32007, "request"],
  [-32009, "request"],
  [unknownVersion, "request"],
  [-32602, "request"],
  [-32001, withoutHistory],
  [-32011, withoutHistory],
  [-32019, withoutHistory],
  [-32021, lagging],
  [-32004, lagging],
  [-32014, lagging],
  [-32016, lagging],
  [-32005, { kind: "down", says: "is not healthy" }],
  [-32010, { kind: "unsupported", says: "keeps no index of this address" }],
]);
