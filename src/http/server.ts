import cookie from "@fastify/cookie";
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
} from "fastify";
import { type App, newId } from "../app.ts";
import { AppError } from "../lib/errors.ts";
import { readJsonBodies } from "./body.ts";
import { refuseBrokenConnection } from "./broken-connection.ts";
import { toFailed } from "./failures.ts";
import { mount } from "./mount.ts";
import { servePages } from "./pages.ts";
import { serveProbes } from "./probes.ts";
import { operations } from "./routes/index.ts";

const mebibyte = 1024 * 1024;

/** The HTTP server, not yet listening. A process without the role `api` answers its probes only. */
export async function makeServer(app: App): Promise<FastifyInstance> {
  const server = fastify({
    genReqId: () => `req_${newId(app).replaceAll("-", "")}`,
    requestIdHeader: false,
    trustProxy: app.config.trustedProxies.length > 0 ? app.config.trustedProxies : false,
    bodyLimit: mebibyte,
    requestTimeout: 30_000,
    http: { headersTimeout: 10_000, maxHeaderSize: 16 * 1024 },
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 500 },
    clientErrorHandler: refuseBrokenConnection,
    frameworkErrors: (error, request, reply) => fail(app, error, request, reply),
  });
  await server.register(cookie);
  readJsonBodies(server);
  setHeaders(app, server);
  observe(app, server);
  server.setErrorHandler((error: FastifyError, request, reply) => fail(app, error, request, reply));
  server.setNotFoundHandler(() => {
    throw new AppError("not_found", "There is nothing here. The operations are listed at /redoc.");
  });
  serveProbes(server, app);
  if (app.config.roles.has("api")) {
    mount(server, app, operations);
    await servePages(server, app);
  }
  return server;
}

function fail(app: App, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, body, retryAfterSeconds } = toFailed(error);
  if (status >= 500) app.log.error({ err: error, request_id: request.id }, "a request failed");
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  reply.code(status).header("content-type", "application/json; charset=utf-8").send(JSON.stringify(body));
}

/** Headers on every answer. Pages set their own content policy; nothing of ours may be framed, sniffed or cached. */
function setHeaders(app: App, server: FastifyInstance): void {
  const isHttps = app.config.publicUrl?.protocol === "https:";
  server.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    reply.header("x-content-type-options", "nosniff");
    reply.header("x-frame-options", "DENY");
    reply.header("referrer-policy", "no-referrer");
    reply.header("cache-control", "no-store");
    reply.header("content-security-policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'");
    if (isHttps) reply.header("strict-transport-security", "max-age=31536000; includeSubDomains");
  });
}

/** One line and one measurement for each answer. The route, not the URL: URLs hold tokens. */
function observe(app: App, server: FastifyInstance): void {
  server.addHook("onResponse", async (request, reply) => {
    const operation = request.routeOptions.config.operation ?? request.routeOptions.url ?? "none";
    app.metrics.requests.inc({ operation, status: reply.statusCode });
    app.metrics.requestSeconds.observe({ operation }, reply.elapsedTime / 1000);
    app.log.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ip: request.ip,
      },
      "answered",
    );
  });
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The operation's id, for metrics. */
    operation?: string;
  }
}
