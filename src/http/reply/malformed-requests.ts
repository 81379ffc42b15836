import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Config } from "../../config.ts";
import { type ErrorCode, errorStatus } from "../../errors/app-error.ts";
import { securityHeaders } from "./headers.ts";

const errors: Record<string, [ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: ["headers_too_large", "The headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: ["request_timeout", "The request was not received in time."],
};

/** Replies to malformed HTTP with the common error format and closes the connection. */
export function rejectMalformedRequest(
  config: Config,
  request_id: string,
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) return void socket.destroy();
  const [code, detail] = errors[error.code ?? ""] ?? ["bad_request", "The request is not valid HTTP."];
  const status = errorStatus[code];
  const body = JSON.stringify({ detail, code });
  const headers = {
    ...securityHeaders(config, request_id),
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"));
}
