import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import type { App } from "../app.ts";
import type { KeyCaller, MemberCaller } from "../domain/caller.ts";
import { AppError } from "../errors/app-error.ts";
import { withDeadline } from "../lib/deadline.ts";
import type { Method, Operation, RawRequest } from "./operation.ts";
import { authenticate, type Identity } from "./request/authenticate.ts";
import { authorise } from "./request/authorise.ts";
import { keepRawBodies } from "./request/body.ts";
import { cookiesOf } from "./request/cookies.ts";
import { replyOnce } from "./request/idempotency.ts";
import { admitKey, countUse } from "./request/key-traffic.ts";
import { requireOwnOrigin } from "./request/origin.ts";
import { makeValidator } from "./request/validate.ts";
import type { Hub } from "./stream/hub.ts";
import { openStream } from "./stream/open-stream.ts";

export const apiPrefix = "/api/v1";

/** Our own time on a request, not the body's on its way here; what still hangs after it is answered with 503. */
const usualDeadlineMs = 4_800;
const tooSlow = () => new AppError("unavailable", "This took too long. Try again.", { retryAfterSeconds: 2 });

/**
 * Puts operations on the server. Each request passes, in this order: origin, authenticate, rate limit (keys), validate,
 * authorise, once (Idempotency-Key), the verb, the reply.
 */
export function mount(server: FastifyInstance, app: App, hub: Hub, operations: Operation[]): void {
  for (const operation of operations) {
    requirePolicy(operation);
    const route = { ...makeRoute(app, hub, operation), method: operation.method, url: toUrl(operation.path) };
    if (operation.hook) server.register(async (scope) => keepRawBodies(scope).route(route));
    else server.route(route);
  }
  for (const [path, methods] of methodsByPath(operations)) answerOtherMethods(server, toUrl(path), methods);
}

/** What is known about a request when its body comes. */
type Arrival = { identity: Identity; leftMs: number };

function makeRoute(app: App, hub: Hub, operation: Operation) {
  const validate = makeValidator(operation);
  const { deadlineMs = usualDeadlineMs, bodyBytes } = operation.limits;
  const arrivals = new WeakMap<FastifyRequest, Arrival>();

  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    // Another service proves itself by a signature: nothing there rests on a cookie.
    if (!operation.hook) requireOwnOrigin(app.config, request);
    const identity = await withDeadline(deadlineMs, authenticate(app, request, operation.policy), tooSlow);
    if (identity.key) await admitKey(app, identity.key, request, reply);
    arrivals.set(request, { identity, leftMs: deadlineMs - reply.elapsedTime });
  };
  const answer = async (request: FastifyRequest, reply: FastifyReply, identity: Identity) => {
    const { params, query, body } = operation.hook ? asItCame(request) : validate(request);
    const caller = await authorise(app, identity, operation, { params, query, body });
    const cookies = cookiesOf(app.config, request, reply);
    return replyOnce(app, operation, request, caller, (asCaller) =>
      operation.handle({ app, caller: asCaller, params, query, body, cookies }),
    );
  };
  const openAs = async (request: FastifyRequest, reply: FastifyReply, identity: Identity, leftMs: number) => {
    const authorised = authorise(app, identity, operation, validate(request));
    await openStream(
      hub,
      (await withDeadline(leftMs, authorised, tooSlow)) as MemberCaller | KeyCaller,
      request,
      reply,
    );
    return reply;
  };
  const handler: RouteHandlerMethod = async (request, reply) => {
    // Nothing gets here but through onRequest.
    const { identity, leftMs } = arrivals.get(request) as Arrival;
    if (operation.isStream) return openAs(request, reply, identity, leftMs);
    const answered = await withDeadline(leftMs, answer(request, reply, identity), tooSlow);
    const { status, reply: value, isReplay } = answered;
    if (isReplay) reply.header("idempotency-replayed", "true");
    reply.code(status);
    if (value === undefined || !operation.reply) return reply.send();
    return operation.hook?.answers === "text/xml" ? sendXml(reply, value) : sendJson(reply, value);
  };
  const onResponse = async (request: FastifyRequest, reply: FastifyReply) => countUse(app, request, reply);
  const limits = bodyBytes === undefined ? {} : { bodyLimit: bodyBytes };
  return { onRequest, onResponse, handler, ...limits, config: { operation: operation.id } };
}

/** Replies are written by JSON.stringify: shapes are checked by the tests, not on every answer. */
function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.header("content-type", "application/json; charset=utf-8").send(JSON.stringify(value));
}

function sendXml(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.header("content-type", "text/xml; charset=utf-8").send(String(value));
}

/** What another service sent, for its signature to be checked first. */
function asItCame({ body, headers, url }: FastifyRequest) {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  return { params: {}, query: {}, body: { bytes, headers, target: url } satisfies RawRequest };
}

function requirePolicy(operation: Operation): void {
  // The types demand a policy; this is for an entry that got around them.
  if (!operation.policy?.who) throw new Error(`The operation ${operation.id} has no policy.`);
}

/** OPTIONS says what a path takes; a method that it does not take is 405 rather than 404. */
function answerOtherMethods(server: FastifyInstance, url: string, methods: Set<Method>): void {
  const taken = [...methods, ...(methods.has("GET") ? ["HEAD"] : []), "OPTIONS"];
  const allow = taken.join(", ");
  const others = server.supportedMethods.filter((method) => !taken.includes(method));
  server.route({
    method: "OPTIONS",
    url,
    onRequest: async (_request, reply) => reply.code(204).header("allow", allow).send(),
    handler: () => undefined,
  });
  server.route({
    method: others,
    url,
    exposeHeadRoute: false,
    // Before the body is read: what it holds does not matter.
    onRequest: async (request, reply) => {
      reply.header("allow", allow);
      throw new AppError("method_not_allowed", `${request.method} is not possible here. Possible: ${allow}.`);
    },
    handler: () => undefined,
  });
}

function methodsByPath(operations: Operation[]): Map<string, Set<Method>> {
  const paths = new Map<string, Set<Method>>();
  for (const { path, method } of operations)
    paths.set(path, (paths.get(path) ?? new Set<Method>()).add(method));
  return paths;
}

function toUrl(path: string): string {
  return apiPrefix + path.replace(/\{(\w+)\}/g, ":$1");
}
