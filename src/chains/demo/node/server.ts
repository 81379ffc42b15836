import type { IncomingMessage, Server } from "node:http";
import { type Answer, makeWaitingServer } from "./listen.ts";
import { type Host, methods, RpcFailure } from "./methods.ts";

const maxBodyBytes = 1_000_000;
const maxBatch = 1_000;

/** Serves the chain as JSON-RPC over HTTP. Requests wait until it is open. */
export function serveChain(opening: Promise<Host>): Server {
  return makeWaitingServer(opening.then(answerFor));
}

export function answerFor(host: Host): Answer {
  return async (request, response) => {
    const text = await readBody(request);
    const replies =
      text === undefined ? failure(null, -32600, "The request is too large.") : await reply(host, text);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(replies));
  };
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function reply(host: Host, text: string): Promise<unknown> {
  let calls: unknown;
  try {
    calls = JSON.parse(text);
  } catch {
    return failure(null, -32700, "The request is not JSON.");
  }
  if (!Array.isArray(calls)) return answerOne(host, calls);
  if (calls.length > maxBatch) return failure(null, -32600, "The batch is too large.");
  const replies: unknown[] = [];
  for (const call of calls) replies.push(await answerOne(host, call));
  return replies;
}

async function answerOne(host: Host, call: unknown): Promise<unknown> {
  const { id = null, method, params } = (call ?? {}) as { id?: unknown; method?: unknown; params?: unknown };
  const run = Object.hasOwn(methods, String(method)) ? methods[String(method)] : undefined;
  if (!run) return failure(id, -32601, `The method ${String(method)} does not exist.`);
  try {
    const result = await run(host, Array.isArray(params) ? params : []);
    return { jsonrpc: "2.0", id, result };
  } catch (error) {
    if (error instanceof RpcFailure) return failure(id, error.code, error.message, error.data);
    return failure(id, -32603, "The demo chain could not answer.");
  }
}

function failure(id: unknown, code: number, message: string, data?: unknown) {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } };
}
