import { EndpointFailure, QuotaUsedUp, RpcError, UnexplainedError } from "./failure.ts";

/** Decides who is at fault for the error in a reply: the request (RpcError) or the endpoint (EndpointFailure). */
export type ErrorClassifier = (method: string, error: unknown) => RpcError | EndpointFailure;

/** Classifies the errors that JSON-RPC nodes of every chain family report in the same way. */
export function classifyRpcError(method: string, error: unknown): RpcError | EndpointFailure {
  const { code, message, data, text } = readError(error);
  if (limitCodes.has(code) || isRateLimit(text)) return limitOf(text);
  if (code === -32601 || code === -32004 || isUnsupported(method, text)) {
    return new EndpointFailure("unsupported", `does not support ${method}`);
  }
  if (code === 4444 || prunedText.test(text))
    return new EndpointFailure("pruned", "no longer has this part of the history");
  if (code === -32001 || missingText.test(text)) return new EndpointFailure("missing", "lacks the block");
  if (requestCodes.has(code)) return new RpcError(code, message, data);
  return new UnexplainedError(`returned error ${code} for ${method}`, text);
}

/** Classifies an HTTP status by the text of the reply where it is known; undefined when the body has to be read to decide. */
export function classifyStatus(
  status: number,
  retryAfterMs: number | undefined,
  text = "",
): EndpointFailure | undefined {
  if (status === 429) return limitOf(text, retryAfterMs);
  if (status === 413) return new EndpointFailure("too_large", "rejects requests of this size");
  if (status === 401 || status === 402 || status === 403 || status === 404) {
    return new EndpointFailure("refused", `rejects requests with status ${status}`);
  }
  if (status === 408 || status === 504) {
    return new EndpointFailure("timeout", `returned status ${status}`, retryAfterMs);
  }
  if (status === 503) {
    return new EndpointFailure("down", `returned status ${status}`, retryAfterMs);
  }
  return undefined;
}

/** The error object of a reply. `text` holds all of its prose, for pattern matching. */
export type ReplyError = { code: number; message: string; data?: unknown; text: string };

/** Reads the error object of a reply, which may have any shape. */
export function readError(error: unknown): ReplyError {
  if (typeof error !== "object" || error === null) {
    const message = String(error).slice(0, 500);
    return { code: 0, message, text: message };
  }
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  const number = Number(code);
  const prose = typeof message === "string" ? message.slice(0, 1000) : "";
  return {
    code: Number.isFinite(number) ? number : 0,
    message: prose,
    data,
    text: `${prose} ${typeof data === "string" ? data.slice(0, 500) : ""}`,
  };
}

/** Some plans name the method that they lack: "eth_example is not available on the Free tier". */
function isUnsupported(method: string, text: string): boolean {
  return unsupportedText.test(text) || unavailableText.test(text.replaceAll(method, "<method>"));
}

/** A limit of calls per second passes without action; a quota of a day or month does not. */
function limitOf(text: string, retryAfterMs?: number): EndpointFailure {
  return quotaText.test(text) && !shortTermText.test(text)
    ? new QuotaUsedUp(retryAfterMs)
    : new EndpointFailure("limited", "asks to slow down", retryAfterMs);
}

export function isRateLimit(text: string): boolean {
  return limitText.test(text);
}

const limitCodes = new Set([429, -32005, -32007, -32029]);
const limitText =
  /rate.?limit|too many requests|request limit|requests per|throttl|compute units|(capacity|daily limit|monthly limit) exceeded|monthly capacity|quota|out of credits/i;
const quotaText =
  /\b(daily|monthly|per (day|month))\b|quota .{0,40}(exceeded|reached|exhausted|used)|(exceeded|reached|exhausted|used up) .{0,40}quota|out of credits/i;
const shortTermText = /per (second|minute)|\/(s|sec|second|min|minute)\b/i;
const unsupportedText =
  /method .{0,60}(not (found|supported|available|whitelisted|allowed|enabled)|does not exist|is disabled)|unsupported method|not implemented/i;
const unavailableText =
  /<method> (method )?(is )?(not (found|supported|available|whitelisted|allowed|enabled)|disabled)/i;
const missingText =
  /(header|block|state|resource)( \S+)? (is )?not (yet )?(found|available)|unknown block|invalid block tag|blockhash cannot be found|could not find block|after last accepted/i;
const prunedText =
  /pruned|(history|historical state|state histor\w+) .{0,40}(unavailable|not available|not been)|missing trie node|no state available|state .{0,40}is not available|archive (node|data|state|request)/i;
/** Invalid request, invalid parameters, transaction rejected, version not supported. */
const requestCodes = new Set([-32600, -32602, -32003, -32006]);
