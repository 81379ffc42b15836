import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import type { App } from "../app.ts";
import type { KeyCaller, MemberCaller } from "../domain/caller.ts";
import { AppError } from "../errors/app-error.ts";
import { runUntilAbandoned } from "../lib/concurrency/abandonment.ts";
import { runForOwner } from "../lib/concurrency/current-owner.ts";
import { withDeadline } from "../lib/concurrency/deadline.ts";
import type { Page } from "../wire/paging.ts";
import type { Method, Operation, RawRequest } from "./operation.ts";
import { rejectOtherMethods, toUrl } from "./other-methods.ts";
import { unpackPage } from "./reply/page-headers.ts";
import { sendFile } from "./reply/send-file.ts";
import { sendJson } from "./reply/send-json.ts";
import { authenticate, type Identity } from "./request/authenticate.ts";
import { groupOf, type InTurn } from "./request/authentication-queue.ts";
import { authorise } from "./request/authorise.ts";
import { keepRawBodies } from "./request/body.ts";
import { cookiesOf } from "./request/cookies.ts";
import { recordingDenials, recordingForgery } from "./request/denials.ts";
import { replyOnce } from "./request/idempotency.ts";
import { requireKeyAccess } from "./request/key-scope.ts";
import { admitKey, countUse } from "./request/key-traffic.ts";
import { requireOwnOrigin } from "./request/origin.ts";
import { type InReadingTurn, makeReadingQueue } from "./request/reading-queue.ts";
import { makeValidator } from "./request/validate.ts";
import type { Hub } from "./stream/hub.ts";
import { openStream } from "./stream/open-stream.ts";

export const apiPrefix = "/api/v1";

/** Processing time per request, without the transfer of the body; exceeding it results in a 503. */
const defaultDeadlineMs = 4_800;

export function deadlineOf({ limits }: Operation): number {
  return limits.deadlineMs ?? defaultDeadlineMs;
}

/** Trying again is no help if the document is too much for the time. */
function timedOut({ limits }: Operation, deadlineMs: number): AppError {
  const help = limits.bodyBytes === undefined ? "Try again." : "Try again, or send less at once.";
  const message = `The request timed out after ${deadlineMs / 1000} seconds. ${help}`;
  return new AppError("unavailable", message, { retryAfterSeconds: 2 });
}

/**
 * Registers operations on the server. Each request passes, in this order: origin check, authentication, rate limit and
 * method (keys), validation, authorisation, idempotency, handler, reply.
 */
export function mount(
  server: FastifyInstance,
  parts: Parts,
  operations: Operation[],
  options: { deadlineOf?: (operation: Operation) => number } = {},
): void {
  const inReadingTurn = makeReadingQueue(parts.app.clock);
  for (const operation of operations) {
    requirePolicy(operation);
    const deadlineMs = (options.deadlineOf ?? deadlineOf)(operation);
    const route = {
      ...makeRoute({ ...parts, inReadingTurn }, operation, deadlineMs),
      method: operation.method,
      url: toUrl(apiPrefix + operation.path),
    };
    if (operation.hook) server.register(async (scope) => keepRawBodies(scope).route(route));
    else server.route(route);
  }
  // The paths of staff are hidden: they answer 404, also to other methods.
  const shown = operations.filter(({ policy }) => policy.who !== "staff");
  rejectOtherMethods(server, apiPrefix, methodsByPath(shown));
}

/** The state of a request after its headers were processed. */
type Admission = { identity: Identity; remainingMs: number; late: () => AppError };

/** What the routes share. */
type Parts = { app: App; hub: Hub; inTurn: InTurn };

function makeRoute(
  { app, hub, inTurn, inReadingTurn }: Parts & { inReadingTurn: InReadingTurn },
  operation: Operation,
  deadlineMs: number,
) {
  const { bodyBytes, bodyValues } = operation.limits;
  const admissions = new WeakMap<FastifyRequest, Admission>();
  const late = () => timedOut(operation, deadlineMs);
  const respond = operation.isStream
    ? makeStreamResponder(app, hub, operation)
    : makeResponder(app, operation, inReadingTurn);

  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    // The org is not known yet, so that connections are limited by address.
    const authenticating = inTurn(request, async () => {
      // Webhooks are authenticated by a signature, not by a cookie.
      if (!operation.hook)
        await recordingForgery(app, request, operation, () => requireOwnOrigin(app.config, request));
      const identity = await authenticate(app, request, operation.policy);
      if (identity.key) await admitKey(app, identity.key, request, reply);
      return identity;
    });
    const identity = await withDeadline(deadlineMs, authenticating, late);
    const { key } = identity;
    if (key) {
      const checking = runForOwner(key.org_id, () => requireKeyAccess(app, key, operation));
      await withDeadline(deadlineMs, checking, late);
    }
    admissions.set(request, { identity, remainingMs: deadlineMs - reply.elapsedTime, late });
  };
  // onRequest always runs before the handler.
  const handler: RouteHandlerMethod = (request, reply) =>
    respond(request, reply, admissions.get(request) as Admission);
  const onResponse = async (request: FastifyRequest, reply: FastifyReply) => countUse(app, request, reply);
  const limits = bodyBytes === undefined ? {} : { bodyLimit: bodyBytes };
  return {
    onRequest,
    onResponse,
    handler,
    ...limits,
    config: {
      operation: operation.id,
      ...(bodyValues && { bodyValues }),
      acceptsCsv: operation.acceptsCsv,
      acceptsYaml: operation.acceptsYaml,
    },
  };
}

type Responder = (
  request: FastifyRequest,
  reply: FastifyReply,
  admission: Admission,
) => Promise<FastifyReply>;

/** Validates, authorises and runs an operation, then sends its reply. */
function makeResponder(app: App, operation: Operation, inReadingTurn: InReadingTurn): Responder {
  const validate = makeValidator(operation);
  const run = async (request: FastifyRequest, reply: FastifyReply, identity: Identity) => {
    const { params, query, body } = operation.hook
      ? rawRequest(request)
      : await validate(app, ownerOf(identity), request);
    return recordingDenials(app, identity, operation, { params, query, body }, async () => {
      const caller = await authorise(app, identity, operation, { params, query, body });
      const cookies = cookiesOf(app.config, request, reply);
      const runOnce = () =>
        replyOnce(app, operation, request, caller, (asCaller) =>
          operation.handle({ app, caller: asCaller, params, query, body, cookies }),
        );
      return "org_id" in caller ? runForOwner(caller.org_id, runOnce) : runOnce();
    });
  };
  const respond = async (request: FastifyRequest, reply: FastifyReply, admission: Admission) => {
    const { identity } = admission;
    const result = await whileWaiting(reply, admission, () =>
      runForOwner(ownerOf(identity), () => run(request, reply, identity)),
    );
    const { status, reply: value, isReplay } = result;
    if (isReplay) reply.header("idempotency-replayed", "true");
    reply.code(status);
    if (value === undefined || !operation.reply) return void reply.send();
    if (operation.hook?.answers === "text/xml") return void sendXml(reply, value);
    if (operation.download) return void sendFile(reply, operation.download, value as AsyncIterable<string>);
    const shown = operation.isPaged ? unpackPage(app.config, request, reply, value as Page<unknown>) : value;
    return sendJson(request, reply, shown, { isSecret: operation.showsSecret });
  };
  const isLargeRead = operation.method === "GET" && operation.hasLargeReply && !operation.download;
  return async (request, reply, admission) => {
    const read = async () => (await respond(request, reply, admission)) ?? 0;
    if (isLargeRead) await inReadingTurn(ownerOf(admission.identity), read);
    else await read();
    return reply;
  };
}

/** Tells the work of a request to stop at the deadline and when the client has disconnected. */
async function whileWaiting<Result>(
  { raw }: FastifyReply,
  { remainingMs, late }: Admission,
  work: () => Promise<Result>,
): Promise<Result> {
  const abandonment = new AbortController();
  const abandon = () => abandonment.abort(late());
  raw.once("close", abandon);
  try {
    return await withDeadline(remainingMs, runUntilAbandoned(abandonment.signal, work), late);
  } catch (error) {
    abandon();
    throw error;
  } finally {
    raw.off("close", abandon);
  }
}

/** Validates and authorises a request for a stream, then opens the stream. */
function makeStreamResponder(app: App, hub: Hub, operation: Operation): Responder {
  const validate = makeValidator(operation);
  return async (request, reply, { identity, remainingMs, late }) => {
    const authorised = runForOwner(ownerOf(identity), async () =>
      authorise(app, identity, operation, await validate(app, ownerOf(identity), request)),
    );
    const caller = await withDeadline(remainingMs, authorised, late);
    // The policy of a stream admits members and keys only.
    await openStream(hub, caller as MemberCaller | KeyCaller, request, reply);
    return reply;
  };
}

/** Identifies whose share of worker threads and connections a request uses before its org is known. */
function ownerOf({ key, session, context }: Identity): string {
  return key?.org_id ?? session?.active?.org_id ?? groupOf(context.ip);
}

function sendXml(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.header("content-type", "text/xml; charset=utf-8").send(String(value));
}

/** The unparsed request of a webhook, whose signature is checked first. */
function rawRequest({ body, headers, url }: FastifyRequest) {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  return { params: {}, query: {}, body: { bytes, headers, target: url } satisfies RawRequest };
}

function requirePolicy(operation: Operation): void {
  // The types require a policy; this catches an entry that bypasses them.
  if (!operation.policy?.who) throw new Error(`The operation ${operation.id} has no policy.`);
}

function methodsByPath(operations: Operation[]): { path: string; methods: Set<Method> }[] {
  const paths = new Map<string, Set<Method>>();
  for (const { path, method } of operations)
    paths.set(path, (paths.get(path) ?? new Set<Method>()).add(method));
  return [...paths].map(([path, methods]) => ({ path, methods }));
}
