import type { Socket } from "node:net";

const answers: Record<string, [string, string, string]> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "The headers are too large.",
    "headers_too_large",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    "408 Request Timeout",
    "The request took too long to arrive.",
    "request_timeout",
  ],
};

/** Answers what is not even HTTP, in the shape of every other refusal, and hangs up. */
export function refuseBrokenConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) return void socket.destroy();
  const [status, detail, code] = answers[error.code ?? ""] ?? [
    "400 Bad Request",
    "The request is not valid HTTP.",
    "bad_request",
  ];
  const body = JSON.stringify({ detail, code });
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
}
