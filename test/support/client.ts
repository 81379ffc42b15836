import type { FastifyInstance, InjectOptions } from "fastify";
import { checkReply } from "./check-reply.ts";

export type Reply = { status: number; body: unknown; headers: Record<string, string>; text: string };

type Extra = { headers?: Record<string, string>; query?: Record<string, string>; ip?: string };

let clients = 0;

/**
 * A browser: it keeps cookies, sends its origin and has its own IP address. Requests go through the whole server, and
 * every reply is checked against the shape of its operation.
 */
export class Client {
  readonly cookies = new Map<string, string>();
  readonly ip: string;
  private readonly server: FastifyInstance;

  constructor(server: FastifyInstance) {
    this.server = server;
    const number = ++clients;
    this.ip = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
  }

  get(path: string, extra: Extra = {}) {
    return this.request("GET", path, undefined, extra);
  }
  post(path: string, body?: unknown, extra: Extra = {}) {
    return this.request("POST", path, body, extra);
  }
  put(path: string, body?: unknown, extra: Extra = {}) {
    return this.request("PUT", path, body, extra);
  }
  patch(path: string, body?: unknown, extra: Extra = {}) {
    return this.request("PATCH", path, body, extra);
  }
  delete(path: string, extra: Extra = {}) {
    return this.request("DELETE", path, undefined, extra);
  }

  /** A path under /api/v1; with a leading double slash, a path from the root. */
  async request(method: string, path: string, body: unknown, extra: Extra = {}): Promise<Reply> {
    const url = path.startsWith("//") ? path.slice(1) : `/api/v1${path}`;
    const response = await this.server.inject({
      method: method as NonNullable<InjectOptions["method"]>,
      url,
      remoteAddress: extra.ip ?? this.ip,
      headers: {
        host: "tocsin.test",
        origin: "http://tocsin.test",
        ...this.cookieHeader(),
        ...extra.headers,
      },
      ...(extra.query && { query: extra.query }),
      ...(body !== undefined && { payload: body as object }),
    });
    this.keepCookies(response.cookies);
    const reply: Reply = {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      text: response.payload,
      body: parse(response.payload),
    };
    checkReply(method, url, reply);
    return reply;
  }

  private cookieHeader(): Record<string, string> {
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    return pairs.length > 0 ? { cookie: pairs.join("; ") } : {};
  }

  private keepCookies(cookies: { name: string; value: string }[]): void {
    for (const { name, value } of cookies) {
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
