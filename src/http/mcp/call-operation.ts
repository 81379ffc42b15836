import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Issue } from "../../errors/app-error.ts";
import { apiPrefix } from "../mount.ts";
import { type Operation, paramNames } from "../operation.ts";
import { checkPart } from "../request/check-part.ts";
import { paramsShape } from "../request/validate.ts";

export type Arguments = Record<string, unknown>;

/** The reply of an operation, as a client of the API gets it. `next` and `total` are those of a page. */
export type CallReply = {
  status: number;
  body: unknown;
  length: number;
  next?: string | undefined;
  total?: number | undefined;
};

/** Runs an operation with arguments that name its path parameters, query parameters and body fields. */
export type Call = (operation: Operation, args: Arguments) => Promise<CallReply>;

/**
 * Returns a function that runs operations on behalf of a request. Each is a request of its own to the API with the same key, so
 * that authentication, scopes, validation, limits and audit are those of the operation.
 */
export function makeCall(server: FastifyInstance, request: FastifyRequest): Call {
  return async (operation, args) => {
    const { params, query, body } = splitArguments(operation, args);
    // A parameter that is not an id could address another operation.
    const checked = checkPart("path", paramsShape(operation.path), params);
    if ("issues" in checked) return rejected(checked.issues);
    const response = await server.inject({
      method: operation.method,
      url: apiPrefix + pathOf(operation.path, params),
      query: toQuery(query),
      ...(operation.body && { payload: body }),
      remoteAddress: request.ip,
      headers: {
        host: request.headers.host ?? "",
        authorization: request.headers.authorization ?? "",
      },
    });
    return {
      status: response.statusCode,
      body: response.payload === "" ? {} : JSON.parse(response.payload),
      length: response.rawPayload.length,
      next: nextCursor(response.headers.link),
      total: totalOf(response.headers["x-total-count"]),
    };
  };
}

function splitArguments({ path, query, body }: Operation, args: Arguments) {
  const inPath = new Set(paramNames(path));
  // Without a body, an unknown argument is rejected as a query parameter.
  const inQuery = (name: string) => !body || Object.hasOwn(query?.shape ?? {}, name);
  const pick = (isPicked: (name: string) => boolean): Arguments =>
    Object.fromEntries(Object.entries(args).filter(([name]) => isPicked(name)));
  return {
    params: pick((name) => inPath.has(name)),
    query: pick((name) => !inPath.has(name) && inQuery(name)),
    body: pick((name) => !inPath.has(name) && !inQuery(name)),
  };
}

function rejected(detail: Issue[]): CallReply {
  return { status: 422, body: { detail }, length: 0 };
}

function pathOf(path: string, params: Arguments): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

function toQuery(query: Arguments): Record<string, string> {
  const write = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value ?? null));
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, write(value)]));
}

function nextCursor(link: unknown): string | undefined {
  const [, url] = /<([^>]+)>; rel="next"/.exec(String(link ?? "")) ?? [];
  return url ? (new URL(url, "http://service").searchParams.get("cursor") ?? undefined) : undefined;
}

function totalOf(header: unknown): number | undefined {
  return header === undefined ? undefined : Number(header);
}
