import { STATUS_CODES } from "node:http";
import { type ErrorCode, errorStatus } from "../../errors/app-error.ts";
import { StreamMessage } from "../../wire/analytics/stream-messages.ts";
import { type Operation, paramNames } from "../operation.ts";
import { acceptsIdempotencyKey } from "./parameters.ts";
import type { SchemaBook } from "./schema-book.ts";

type Response = Record<string, unknown>;

export const sharedHeaders = {
  "X-Request-Id": {
    description: "Id of the request in the logs. Quote it in support requests.",
    schema: { type: "string" },
    example: "req_019a8c1e7c4b7d3a9f213b6c1f0e5a42",
  },
  "Retry-After": {
    description: "Seconds to wait before retrying.",
    schema: { type: "integer" },
    example: 2,
  },
};

/** Headers of lists that have pages, and of every GET. */
export const pageHeaders = {
  Link: {
    description: 'The next page, with `rel="next"`; absent on the last page.',
    schema: { type: "string" },
    example: '</api/v1/contracts?limit=100&cursor=bWk0>; rel="next"',
  },
  "X-Total-Count": {
    description: "Number of items on all pages, where it is known.",
    schema: { type: "integer" },
    example: 250,
  },
  ETag: {
    description:
      "Version of the response. Sent back as `If-None-Match`, it gets 304 while nothing has changed.",
    schema: { type: "string" },
    example: 'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  },
};

/** Headers with a rate limit: that of the key on every response to a request with one, otherwise the one that was exceeded. */
export const rateLimitHeaders = {
  "RateLimit-Policy": {
    description:
      "Rate limit of the API key, or the one that was exceeded: requests (q) per sliding window in seconds (w).",
    schema: { type: "string" },
    example: '"key";q=300;w=60',
  },
  RateLimit: {
    description: "Remaining requests (r), and seconds until there are more (t).",
    schema: { type: "string" },
    example: '"key";r=299;t=60',
  },
};

const rateLimit = {
  "RateLimit-Policy": { $ref: "#/components/headers/RateLimit-Policy" },
  RateLimit: { $ref: "#/components/headers/RateLimit" },
};
const paging = {
  Link: { $ref: "#/components/headers/Link" },
  "X-Total-Count": { $ref: "#/components/headers/X-Total-Count" },
};
const tag = { ETag: { $ref: "#/components/headers/ETag" } };
const requestId = { "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" } };
const retryAfter = { "Retry-After": { $ref: "#/components/headers/Retry-After" } };

/** Returns the success response and every error that the policy, the schemas and the error list of an operation imply. */
export function responsesOf(book: SchemaBook, operation: Operation): Record<string, Response> {
  const byStatus = Map.groupBy(codesOf(operation), (code) => errorStatus[code]);
  const failures = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [status, failure(status, codes)]);
  return Object.fromEntries([
    [operation.status, success(book, operation)],
    ...(hasTag(operation) ? [[304, unchanged]] : []),
    ...failures,
    [422, invalid(book)],
  ]);
}

/** The statuses of the errors that the description lists for an operation. */
export function errorStatusesOf(operation: Operation): Set<number> {
  return new Set([422, ...codesOf(operation).map((code) => errorStatus[code])]);
}

/** True for operations whose responses have an ETag. */
function hasTag({ method, isStream, download }: Operation): boolean {
  return method === "GET" && !isStream && !download;
}

const unchanged = {
  description: "Nothing has changed since the response whose ETag was sent as `If-None-Match`.",
  headers: { ...requestId, ...tag },
};

function success(book: SchemaBook, operation: Operation): Response {
  const description = STATUS_CODES[operation.status] ?? "Success";
  const isForKeys = operation.policy.who === "org" && operation.policy.keys;
  const headers = {
    ...requestId,
    ...(isForKeys && rateLimit),
    ...(operation.isPaged && paging),
    ...(hasTag(operation) && tag),
  };
  if (operation.isStream)
    return { description, headers, content: { "text/event-stream": streamContent(book) } };
  if (!operation.reply) return { description, headers };
  const schema = book.add(operation.reply, "output");
  if (operation.download) {
    const text = { schema: { type: "string" }, example: "id,kind,status\r\n" };
    return { description, headers, content: { [operation.download.type]: text } };
  }
  const type = operation.hook?.answers ?? "application/json";
  return { description, headers, content: { [type]: { schema, example: book.exampleOf(schema) } } };
}

/** A stream is text; the schema of its content is that of one event, with its data parsed. */
function streamContent(book: SchemaBook): Record<string, unknown> {
  return {
    schema: {
      type: "string",
      description:
        "Server-sent events with `event`, `id` and one line of JSON as `data`. The schema `StreamMessage` describes one event.",
      contentMediaType: "text/event-stream",
      contentSchema: book.add(StreamMessage, "output"),
    },
    example: 'event: heartbeat\nid: 42\ndata: {"at":"2026-11-15T09:30:00.000Z"}\n\n',
  };
}

function failure(status: number, codes: ErrorCode[]): Response {
  const isTemporary = status === 429 || status === 503;
  const examples = codes.map((code) => [
    code,
    { value: { detail: "A message that explains the error.", code } },
  ]);
  const headers = { ...requestId, ...(isTemporary && retryAfter), ...(status === 429 && rateLimit) };
  return {
    description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(", ")}.`,
    headers,
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Failure" },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function invalid(book: SchemaBook): Response {
  const schema = { $ref: "#/components/schemas/ValidationFailure" };
  return {
    description: "The request is invalid; `detail` lists all errors.",
    headers: requestId,
    content: { "application/json": { schema, example: book.exampleOf(schema) } },
  };
}

/** Returns the error codes that a request with a key can get before the handler runs. */
function keyCodesOf({ policy, method }: Operation): ErrorCode[] {
  if (policy.who !== "org" && policy.who !== "user") return [];
  const always = ["api_key_missing", "api_key_invalid", "api_key_revoked", "api_key_expired"] as const;
  if (policy.who === "user" || !policy.keys) return [...always, "session_required", "rate_limited"];
  const readOnly = method === "GET" ? [] : (["read_only_key"] as const);
  return [...always, "out_of_scope", ...readOnly, "rate_limited"];
}

function codesOf(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(operation.errors);
  const { policy } = operation;
  if (policy.who !== "anyone" && policy.who !== "link") codes.add("unauthenticated").add("session_expired");
  for (const code of keyCodesOf(operation)) codes.add(code);
  // A large body of any caller waits for a worker thread; requests of an org also wait for its other budgets.
  if (policy.who === "org" || (operation.body && !operation.hook)) codes.add("org_busy");
  if (policy.who === "org") {
    if (policy.org === "active") codes.add("no_active_org");
    if (policy.role !== "viewer") codes.add(policy.role === "admin" ? "admin_required" : "role_required");
    if (policy.tier) codes.add("tier_required");
    if (policy.resource && operation.method !== "GET") codes.add("role_required");
  }
  if (operation.method !== "GET" && !operation.hook) codes.add("csrf");
  // What a change refers to can be deleted by a concurrent one.
  if (operation.method !== "GET" && policy.who === "org") codes.add("conflict");
  if (paramNames(operation.path).length > 0) codes.add("not_found");
  if (operation.body) codes.add("payload_too_large");
  if (operation.body && !operation.hook) codes.add("unsupported_media_type");
  if (acceptsIdempotencyKey(operation)) codes.add("idempotency_in_progress").add("idempotency_key_reused");
  return [...codes.add("unavailable")];
}
