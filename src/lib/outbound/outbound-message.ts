import type { IncomingHttpHeaders } from "node:http";

/** An outbound HTTP request. */
export type OutboundRequest = {
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string | URL;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** From the name lookup to the last byte of the reply; 10 seconds by default. */
  timeoutMs?: number;
  /** The maximum length of the reply; 64 KiB by default. */
  maxBytes?: number;
  /** Asks for a compressed reply. `maxBytes` then limits its length before and after it is decompressed. */
  compressed?: boolean;
  signal?: AbortSignal;
};

/** The reply to an outbound request. */
export type OutboundReply = {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** True when the reply was longer than `maxBytes`. */
  truncated: boolean;
  latencyMs: number;
};
