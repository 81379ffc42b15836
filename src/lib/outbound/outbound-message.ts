import type { IncomingHttpHeaders } from "node:http";

/** What is asked of somebody outside. */
export type OutboundRequest = {
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string | URL;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** For everything from the name lookup to the last byte of the answer; 10 seconds unless told. */
  timeoutMs?: number;
  /** How much of the answer is read; 64 KiB unless told. */
  maxBytes?: number;
  signal?: AbortSignal;
};

/** What they said. */
export type OutboundReply = {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Whether the answer was longer than `maxBytes`. */
  truncated: boolean;
  latencyMs: number;
};
