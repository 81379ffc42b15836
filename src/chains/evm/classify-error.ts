import { classifyRpcError, isRateLimit, readError } from "../rpc/classify-error.ts";
import { type EndpointFailure, RpcError } from "../rpc/failure.ts";
import { isAddressProblem } from "./blocks/logs-without-address.ts";
import { isRangeProblem } from "./blocks/range-problem.ts";

/** Decides who is at fault for an error of an EVM node: the request (RpcError) or the endpoint (EndpointFailure). */
export function classifyEvmError(method: string, error: unknown): RpcError | EndpointFailure {
  const { code, message, data, text } = readError(error);
  // Some nodes report a range that is too wide with the code of a rate limit.
  const isAboutLogs = method === "eth_getLogs" && !isRateLimit(text);
  const isRange = isAboutLogs && (isRangeProblem(text) || isAddressProblem({ code, message }));
  if (isRange || isRevert({ code, message, data })) return new RpcError(code, message, data);
  return classifyRpcError(method, error);
}

/** True if an error is the result of the contract, which is the same on every node. Other errors may be the node's own. */
export function isRevert(error: Pick<RpcError, "code" | "message" | "data">): boolean {
  return error.code === 3 || revertText.test(readError(error).text);
}

const revertText =
  /(execution|transaction) reverted|^reverted|vm exception|out of gas|invalid opcode|invalid jump|stack (under|over)flow|vm execution error/i;
