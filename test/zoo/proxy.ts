import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../support/listen.ts";
import { type ServerSocket, serveWebSockets } from "../support/websocket-server.ts";

export type Call = { id: unknown; method: string; params: unknown[] };
export type Reply = { result: unknown } | { error: { code: number; message: string; data?: unknown } };
/** The node behind the proxy answers a call. */
export type Forward = (call: { method: string; params: unknown[] }) => Promise<Reply>;
/** An HTTP reply in place of JSON-RPC; `hang` never replies. */
export type HttpReply = { status: number; body: string; headers?: Record<string, string> } | "hang";

/** What a provider does differently from a healthy node, while it is switched on. */
export type Manners = {
  /** Replies to a whole request. */
  request?(calls: readonly Call[], forward: Forward): Promise<HttpReply | undefined> | HttpReply | undefined;
  /** Replies to one call. */
  call?(call: Call, forward: Forward): Promise<Reply> | Reply;
  /** Changes the text of a reply. */
  text?(text: string): string;
  /** Decides what happens to a message on a websocket, by its number on the connection: it is answered by default. */
  socket?(message: number): "drop" | "ignore" | undefined;
};

export type Provider = {
  url: string;
  socketUrl: string;
  /** The headers of websocket connections so far. */
  connections: IncomingHttpHeaders[];
  /** The headers of HTTP requests so far. */
  requests: IncomingHttpHeaders[];
  /** The methods of all calls so far. */
  calls: string[];
  setManners(manners: Manners): void;
  close(): Promise<void>;
};

/** Serves a node through a provider with its own manners. */
export async function serveProvider(upstream: string): Promise<Provider> {
  let manners: Manners = {};
  const calls: string[] = [];
  const requests: IncomingHttpHeaders[] = [];
  const forward: Forward = async ({ method, params }) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    const reply = await fetch(upstream, { method: "POST", headers, body });
    return (await reply.json()) as Reply;
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests.push(request.headers);
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { whole, text } = await answer(Buffer.concat(chunks).toString());
    if (whole === "hang") return;
    if (whole) return void response.writeHead(whole.status, whole.headers).end(whole.body);
    response.writeHead(200, { "content-type": "application/json" }).end(text);
  }

  async function answer(message: string): Promise<{ whole?: HttpReply; text?: string }> {
    const body: Call | Call[] = JSON.parse(message);
    const asked = Array.isArray(body) ? body : [body];
    calls.push(...asked.map(({ method }) => method));
    const whole = await manners.request?.(asked, forward);
    if (whole) return { whole };
    const replies = await Promise.all(
      asked.map(async (call) => {
        const reply = (await manners.call?.(call, forward)) ?? (await forward(call));
        const content = "error" in reply ? { error: reply.error } : { result: reply.result };
        return { jsonrpc: "2.0", id: call.id, ...content };
      }),
    );
    const text = JSON.stringify(Array.isArray(body) ? replies : replies[0]);
    return { text: manners.text?.(text) ?? text };
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const messages = new WeakMap<ServerSocket, number>();
  const connections: IncomingHttpHeaders[] = [];
  const dropAll = serveWebSockets(server, {
    onOpen: (_, request) => void connections.push(request.headers),
    onText(text, socket) {
      const number = (messages.get(socket) ?? 0) + 1;
      messages.set(socket, number);
      const fate = manners.socket?.(number);
      if (fate === "drop") return socket.drop();
      if (fate === "ignore") return;
      answer(text)
        .then((reply) => (reply.text ? socket.send(reply.text) : socket.drop()))
        .catch(() => socket.drop());
    },
  });
  const { port, url, close } = await listen(server);
  return {
    url: `${url}/`,
    socketUrl: `ws://127.0.0.1:${port}/`,
    connections,
    requests,
    calls,
    setManners(next) {
      manners = next;
    },
    async close() {
      const closed = close();
      dropAll();
      await closed;
    },
  };
}

export const rpcError = (code: number, message: string): Reply => ({ error: { code, message } });
