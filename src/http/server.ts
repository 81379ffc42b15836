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
import { onFirstSuccess } from "../lib/caching/on-first-use.ts";
import { runEvery } from "../lib/concurrency/poll-loop.ts";
import { runInSlices } from "../lib/concurrency/steps.ts";
import { type SendNotFound, serveDashboard } from "./dashboard.ts";
import { serveDocs } from "./docs/serve-docs.ts";
import { serveMcp } from "./mcp/mcp.ts";
import { mount } from "./mount.ts";
import { documentSteps } from "./openapi/document.ts";
import type { Operation } from "./operation.ts";
import { servePages } from "./pages.ts";
import { serveProbes } from "./probes.ts";
import { toErrorReply } from "./reply/failures.ts";
import { rateLimitHeaders, securityHeaders } from "./reply/headers.ts";
import { rejectMalformedRequest } from "./reply/malformed-requests.ts";
import { makeAuthenticationQueue } from "./request/authentication-queue.ts";
import { parseBodies } from "./request/body.ts";
import { operations } from "./routes/index.ts";
import { makeHub, type StreamPace } from "./stream/hub.ts";

const mebibyte = 1024 * 1024;

/** Creates the HTTP server without listening. A process without the role `api` serves only probes. */
export async function makeServer(
  app: App,
  options: { streamPace?: StreamPace; deadlineOf?: (operation: Operation) => number } = {},
): Promise<FastifyInstance> {
  const server = createFastify(app);
  await server.register(cookie);
  parseBodies(server);
  setHeaders(app, server);
  server.addHook("onResponse", async (request, reply) => record(app, request, reply));
  ignoreExpectations(server);
  server.setErrorHandler((error: FastifyError, request, reply) => fail(app, error, request, reply));
  let sendNotFoundPage: SendNotFound | undefined;
  server.setNotFoundHandler((request, reply) => {
    if (sendNotFoundPage && wantsPage(request)) return sendNotFoundPage(request, reply);
    throw new AppError("not_found", "This path does not exist. See /redoc for the operations.");
  });
  serveProbes(server, app);
  if (app.config.roles.has("api")) {
    const hub = makeHub(app, options.streamPace);
    // preClose runs before the server waits for open connections; streams would keep it waiting.
    server.addHook("preClose", () => hub.close());
    const inTurn = makeAuthenticationQueue(app);
    mount(server, { app, hub, inTurn }, operations, options);
    serveMcp(server, app, inTurn);
    flushUsagePeriodically(server, app);
    // Built on first use, because it would slow the start noticeably.
    const document = onFirstSuccess(() => runInSlices(documentSteps(app.config)));
    servePages(server, document);
    serveDocs(server, app, document);
    sendNotFoundPage = serveDashboard(server, app);
  }
  return server;
}

/** True for a browser that opens a page; programs, and scripts of the dashboard, do not ask for HTML. */
function wantsPage({ method, headers: { accept = "" } }: FastifyRequest): boolean {
  return (method === "GET" || method === "HEAD") && /\btext\/html\b/.test(accept);
}

/** Creates the Fastify instance with its limits and low-level error handlers. */
function createFastify(app: App): FastifyInstance {
  const newRequestId = () => `req_${newId(app).replaceAll("-", "")}`;
  return fastify({
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: app.config.trustedProxies.length > 0 ? app.config.trustedProxies : false,
    bodyLimit: mebibyte,
    requestTimeout: 30_000,
    // Node checks timeouts every 30 seconds by default. A missing Host is rejected below, with our error format.
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false,
    },
    forceCloseConnections: "idle",
    // Requests during shutdown are still processed, with `Connection: close`.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    clientErrorHandler: (error, socket) => rejectMalformedRequest(app.config, newRequestId(), error, socket),
    frameworkErrors: (error, request, reply) => rejectUnroutable(app, error, request, reply),
  });
}

const usageFlushMs = 5 * 60 * 1000;

/** Writes the usage counts of keys every five minutes and when the server closes, independently of requests. */
function flushUsagePeriodically(server: FastifyInstance, app: App): void {
  const closing = new AbortController();
  const flush = () =>
    flushUsage(app).catch((error) =>
      app.log.warn({ err: error }, "key usage could not be stored, counts are kept in memory"),
    );
  const loop = { clock: app.clock, signal: closing.signal, intervalMs: usageFlushMs, startsWithWait: true };
  const running = runEvery({ ...loop, onError: () => undefined }, flush);
  server.addHook("onClose", async () => {
    closing.abort();
    await running;
    // Writes the counts that were added during the last flush.
    await flush();
  });
}

function fail(app: App, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, body, retryAfterSeconds = 0, window } = toErrorReply(error);
  // A refusal is no fault of the service, and callers can cause many of them.
  if (status === 503) app.log.warn({ reason: reasonOf(error), request_id: request.id }, "request refused");
  else if (status >= 500) app.log.error({ err: error, request_id: request.id }, "request failed");
  if (status === 401) reply.header("www-authenticate", 'Bearer realm="tocsin"');
  if (retryAfterSeconds) reply.header("retry-after", String(retryAfterSeconds));
  // Replies to an API key have the limit of the key.
  if (window && !reply.hasHeader("ratelimit")) reply.headers(rateLimitHeaders(window, 0, retryAfterSeconds));
  reply.code(status).header("content-type", "application/json; charset=utf-8").send(JSON.stringify(body));
}

/** Returns the messages of an error and of its causes. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} ${reasonOf(error.cause)}`;
}

/** Handles requests that fail before routing, for which no hooks run. */
function rejectUnroutable(app: App, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders(app.config, request.id));
  reply.raw.once("finish", () => record(app, request, reply));
  fail(app, error, request, reply);
}

function setHeaders(app: App, server: FastifyInstance): void {
  server.addHook("onRequest", async (request, reply) => {
    reply.headers(securityHeaders(app.config, request.id));
    if (!request.headers.host && request.raw.httpVersion !== "1.0") {
      throw new AppError("bad_request", "The Host header is missing.");
    }
  });
}

/** Ignores an unknown `Expect` header, to which Node would reply with a 417 in another format. */
function ignoreExpectations({ server }: FastifyInstance): void {
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
}

/** Logs and measures a completed request. Logs the route instead of the URL, because URLs can contain tokens. */
function record(app: App, request: FastifyRequest, reply: FastifyReply): void {
  const { url, config } = request.routeOptions;
  const operation = config?.operation ?? url ?? "none";
  app.metrics.requests.inc({ operation, status: reply.statusCode });
  app.metrics.requestSeconds.observe({ operation }, reply.elapsedTime / 1000);
  // A person at a terminal would miss the other lines among one per request.
  const level = app.config.logFormat === "text" ? "debug" : "info";
  app.log[level](
    {
      request_id: request.id,
      method: request.method,
      route: url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ip: request.ip,
    },
    "request completed",
  );
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The operation's id, for metrics. */
    operation?: string;
    /** The maximum number of values in a JSON body, if it differs from the default. */
    bodyValues?: number;
    /** A body of the type `text/csv` is accepted. */
    acceptsCsv?: boolean;
    /** A body in YAML is accepted. */
    acceptsYaml?: boolean;
  }
}
