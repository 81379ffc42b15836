import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../errors/app-error.ts";
import type { Method } from "./operation.ts";

/** A path with its methods, in the notation of an operation: `/orgs/{org_id}`. */
type PathMethods = { path: string; methods: Set<Method> };

type Segmented = { segments: string[] };

/**
 * Replies to OPTIONS with the allowed methods of a path, and to every other method that it does not support with 405.
 *
 * The router has no routes for these methods, because they would be most of its routes and of the time that it takes to start.
 * Only a path that another one overlaps, such as `/contracts/imports` beside `/contracts/{id}`, has them, so that the path
 * itself replies and not the other one.
 */
export function rejectOtherMethods(server: FastifyInstance, prefix: string, paths: PathMethods[]): void {
  const all = paths.map((path) => ({ segments: segmentsOf(prefix + path.path), ...path }));
  const matchers = all.filter(
    (matcher) => !all.some((other) => other !== matcher && overlaps(matcher, other)),
  );
  server.addHook("onRequest", async (request, reply) => {
    if (!request.is404) return;
    const matched = findPath(matchers, request.url);
    if (matched) return rejectMethod(request, reply, matched.methods);
  });
  for (const { path, methods } of all.filter((matcher) => !matchers.includes(matcher))) {
    server.route({
      method: server.supportedMethods.filter(
        (method) => !allowedOf(methods).includes(method) || method === "OPTIONS",
      ),
      url: toUrl(prefix + path),
      exposeHeadRoute: false,
      // Runs before the body is read.
      onRequest: (request, reply) => rejectMethod(request, reply, methods),
      handler: () => undefined,
    });
  }
}

/** Writes the path of an operation as the router expects it. */
export function toUrl(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

async function rejectMethod(
  request: FastifyRequest,
  reply: FastifyReply,
  methods: Set<Method>,
): Promise<FastifyReply> {
  const allow = allowedOf(methods).join(", ");
  reply.header("allow", allow);
  if (request.method === "OPTIONS") return reply.code(204).send();
  throw new AppError("method_not_allowed", `${request.method} is not allowed here. Allowed: ${allow}.`);
}

function allowedOf(methods: Set<Method>): string[] {
  return [...methods, ...(methods.has("GET") ? ["HEAD"] : []), "OPTIONS"];
}

/** True if some URL matches both paths. */
function overlaps({ segments: left }: Segmented, { segments: right }: Segmented): boolean {
  return (
    left.length === right.length &&
    left.every((segment, index) => segment === right[index] || isParam(segment) || isParam(right[index]))
  );
}

function findPath<Matcher extends Segmented>(matchers: Matcher[], url: string) {
  const segments = segmentsOf(url.split(/[?#]/, 1)[0] ?? "").map(decode);
  const isMatch = (segment: string, offset: number) =>
    isParam(segment) ? segments[offset] !== "" : segment === segments[offset];
  return matchers.find(
    (matcher) => matcher.segments.length === segments.length && matcher.segments.every(isMatch),
  );
}

function segmentsOf(path: string): string[] {
  return path.split("/").slice(1);
}

function isParam(segment: string | undefined): boolean {
  return segment?.startsWith("{") === true;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
