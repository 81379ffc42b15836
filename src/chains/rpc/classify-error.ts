import { EndpointFailure, RpcError } from "./failure.ts";
import { isRangeProblem } from "./range-problem.ts";

/** Whose fault the error in an answer is: the request's (RpcError) or the endpoint's (EndpointFailure). */
export function classifyEvmError(method: string, error: unknown): RpcError | EndpointFailure {
  const { code, message, data } = readError(error);
  const text = textOf(message, data);
  if (isRevert({ code, message, data })) return new RpcError(code, message, data);
  if (limitText.test(text)) return new EndpointFailure("limited", "asks to slow down");
  // Before the codes of limits, which some use for ranges as well.
  if (method === "eth_getLogs" && isRangeProblem(text)) return new RpcError(code, message, data);
  if (limitCodes.has(code)) return new EndpointFailure("limited", "asks to slow down");
  if (code === -32601 || code === -32004 || unsupportedText.test(text)) {
    return new EndpointFailure("unsupported", `does not offer ${method}`);
  }
  if (code === -32001 || missingText.test(text)) return new EndpointFailure("missing", "lacks the block");
  if (requestCodes.has(code)) return new RpcError(code, message, data);
  return new EndpointFailure("error", `answered ${method} with error ${code}`);
}

/** Whether an error is a contract's own answer, which every node gives. Others may be a node's dislike of being asked. */
export function isRevert({ code, message, data }: Pick<RpcError, "code" | "message" | "data">): boolean {
  return reverts.has(code) || revertText.test(textOf(message, data));
}

/** Whose fault an HTTP status is; undefined when the body may tell more. */
export function classifyStatus(
  status: number,
  retryAfterMs: number | undefined,
): EndpointFailure | undefined {
  if (status === 429) return new EndpointFailure("limited", "asks to slow down", retryAfterMs);
  if (status === 413) return new EndpointFailure("too_large", "refuses requests of this size");
  if (status === 401 || status === 402 || status === 403 || status === 404) {
    return new EndpointFailure("refused", `refuses requests with status ${status}`);
  }
  if (status === 503 || status === 408) {
    return new EndpointFailure("down", `answered with status ${status}`, retryAfterMs);
  }
  return undefined;
}

const reverts = new Set([3]);
const revertText =
  /(execution|transaction) reverted|^reverted|vm exception|out of gas|invalid opcode|invalid jump|stack (under|over)flow|vm execution error/i;
const limitCodes = new Set([429, -32005, -32007, -32029]);
const limitText =
  /rate.?limit|too many requests|request limit|requests per|throttl|compute units|capacity exceeded|quota|out of credits/i;
const unsupportedText =
  /method .{0,60}(not (found|supported|available|whitelisted|allowed|enabled)|does not exist|is disabled)|unsupported method|not implemented/i;
const missingText =
  /(header|block|state|resource)( \S+)? (is )?not (yet )?(found|available)|unknown block|invalid block tag|blockhash cannot be found|missing trie node|could not find block|no state available|after last accepted/i;
/** Invalid request, invalid parameters, transaction rejected, version not supported. */
const requestCodes = new Set([-32600, -32602, -32003, -32006]);

function textOf(message: string, data: unknown): string {
  return `${message} ${typeof data === "string" ? data.slice(0, 500) : ""}`;
}

function readError(error: unknown): { code: number; message: string; data?: unknown } {
  if (typeof error !== "object" || error === null) return { code: 0, message: String(error).slice(0, 500) };
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  const number = Number(code);
  return {
    code: Number.isFinite(number) ? number : 0,
    message: typeof message === "string" ? message.slice(0, 1000) : "",
    data,
  };
}
