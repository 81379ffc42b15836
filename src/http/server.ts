import cookie from "@fastify/cookie";
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
} from "fastify";
import { type App, newId } from "../app.ts";
import { flushUsage } from "../domain/orgs/key-usage.ts";
import { AppError } from "../errors/app-error.ts";
import { runEvery } from "../lib/poll-loop.ts";
import { mount } from "./mount.ts";
import { servePages } from "./pages.ts";
import { serveProbes } from "./probes.ts";
import { toFailed } from "./reply/failures.ts";
import { safetyHeaders } from "./reply/headers.ts";
import { rejectMalformedRequest } from "./reply/malformed-requests.ts";
import { readJsonBodies } from "./request/body.ts";
import { operations } from "./routes/index.ts";
import { makeHub, type StreamPace } from "./stream/hub.ts";

const mebibyte = 1024 * 1024;

/** The HTTP server, not yet listening. A process without the role `api` answers its probes only. */
export async function makeServer(
  app: App,
  options: { streamPace?: StreamPace } = {},
): Promise<FastifyInstance> {
  const newRequestId = () => `req_${newId(app).replaceAll("-", "")}`;
  const server = fastify({
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: app.config.trustedProxies.length > 0 ? app.config.trustedProxies : false,
    bodyLimit: mebibyte,
    requestTimeout: 30_000,
    // Node looks for late connections every half minute unless told; a missing Host is refused below, in our shape.
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false,
    },
    forceCloseConnections: "idle",
    // What still arrives while we close is answered as ever, with `Connection: close`.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    clientErrorHandler: (error, socket) => rejectMalformedRequest(app.config, newRequestId(), error, socket),
    frameworkErrors: (error, request, reply) => refuseUnroutable(app, error, request, reply),
  });
  await server.register(cookie);
  readJsonBodies(server);
  setHeaders(app, server);
  server.addHook("onResponse", async (request, reply) => record(app, request, reply));
  ignoreExpectations(server);
  server.setErrorHandler((error: FastifyError, request, reply) => fail(app, error, request, reply));
  server.setNotFoundHandler(() => {
    throw new AppError("not_found", "There is nothing here. The operations are listed at /redoc.");
  });
  serveProbes(server, app);
  if (app.config.roles.has("api")) {
    const hub = makeHub(app, options.streamPace);
    // Before the server waits for its connections: a stream would never end by itself.
    server.addHook("preClose", () => hub.close());
    mount(server, app, hub, operations);
    keepUsage(server, app);
    await servePages(server, app);
  }
  return server;
}

const usageFlushMs = 5 * 60 * 1000;

/** Writes what keys did every five minutes and when the server closes, beside the requests and never in their way. */
function keepUsage(server: FastifyInstance, app: App): void {
  const closing = new AbortController();
  const flush = () =>
    flushUsage(app).catch((error) =>
      app.log.warn({ err: error }, "key usage was not written and stays counted"),
    );
  const loop = { clock: app.clock, signal: closing.signal, intervalMs: usageFlushMs, startsWithWait: true };
  const running = runEvery({ ...loop, onError: () => undefined }, flush);
  server.addHook("onClose", async () => {
    closing.abort();
    await running;
    // What was counted while the last round wrote.
    await flush();
  });
}

function fail(app: App, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, body, retryAfterSeconds } = toFailed(error);
  if (status >= 500) app.log.error({ err: error, request_id: request.id }, "a request failed");
  if (status === 401) reply.header("www-authenticate", 'Bearer realm="tocsin"');
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  reply.code(status).header("content-type", "application/json; charset=utf-8").send(JSON.stringify(body));
}

/** For a path that leads to no route, not even to the one for unknown paths: no hook runs for it. */
function refuseUnroutable(app: App, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(safetyHeaders(app.config, request.id));
  reply.raw.once("finish", () => record(app, request, reply));
  fail(app, error, request, reply);
}

function setHeaders(app: App, server: FastifyInstance): void {
  server.addHook("onRequest", async (request, reply) => {
    reply.headers(safetyHeaders(app.config, request.id));
    if (!request.headers.host && request.raw.httpVersion !== "1.0") {
      throw new AppError("bad_request", "The Host header is missing.");
    }
  });
}

/** An `Expect` that we do not know may be ignored; unheard, Node would answer 417 in a shape of its own. */
function ignoreExpectations({ server }: FastifyInstance): void {
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
}

/** One line and one measurement for each answer. The route, not the URL: URLs hold tokens. */
function record(app: App, request: FastifyRequest, reply: FastifyReply): void {
  const { url, config } = request.routeOptions;
  const operation = config?.operation ?? url ?? "none";
  app.metrics.requests.inc({ operation, status: reply.statusCode });
  app.metrics.requestSeconds.observe({ operation }, reply.elapsedTime / 1000);
  app.log.info(
    {
      request_id: request.id,
      method: request.method,
      route: url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ip: request.ip,
    },
    "answered",
  );
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The operation's id, for metrics. */
    operation?: string;
  }
}
