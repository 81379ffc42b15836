import { STATUS_CODES } from "node:http";
import { type ErrorCode, errorStatus } from "../../lib/errors.ts";
import { type Operation, paramNames } from "../operation.ts";
import { takesIdempotencyKey } from "./parameters.ts";
import type { SchemaBook } from "./schema-book.ts";

type Response = Record<string, unknown>;

export const sharedHeaders = {
  "X-Request-Id": {
    description: "The request's name in our log. Quote it when you ask for help.",
    schema: { type: "string" },
    example: "req_019a8c1e7c4b7d3a9f213b6c1f0e5a42",
  },
  "Retry-After": {
    description: "Seconds to wait before trying again.",
    schema: { type: "integer" },
    example: 2,
  },
};

const requestId = { "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" } };
const retryAfter = { "Retry-After": { $ref: "#/components/headers/Retry-After" } };

/** The success answer and every refusal that an operation's policy, shapes and own list make possible. */
export function responsesOf(book: SchemaBook, operation: Operation): Record<string, Response> {
  const byStatus = Map.groupBy(codesOf(operation), (code) => errorStatus[code]);
  const failures = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [status, failure(status, codes)]);
  return Object.fromEntries([
    [operation.status, success(book, operation)],
    ...failures,
    [422, invalid(book)],
  ]);
}

function success(book: SchemaBook, operation: Operation): Response {
  const description = STATUS_CODES[operation.status] ?? "Success";
  if (!operation.reply) return { description, headers: requestId };
  const schema = book.add(operation.reply, "output");
  const content = { "application/json": { schema, example: book.exampleOf(schema) } };
  return { description, headers: requestId, content };
}

function failure(status: number, codes: ErrorCode[]): Response {
  const isTemporary = status === 429 || status === 503;
  const examples = codes.map((code) => [code, { value: { detail: "A sentence that says why.", code } }]);
  return {
    description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(", ")}.`,
    headers: isTemporary ? { ...requestId, ...retryAfter } : requestId,
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
    description: "The request is wrong; `detail` lists everything that is.",
    headers: requestId,
    content: { "application/json": { schema, example: book.exampleOf(schema) } },
  };
}

function codesOf(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(operation.errors);
  const { policy } = operation;
  if (policy.who !== "anyone" && policy.who !== "link") codes.add("unauthenticated").add("session_expired");
  if (policy.who === "org") {
    if (policy.org === "active") codes.add("no_active_org");
    if (policy.role !== "viewer") codes.add(policy.role === "admin" ? "admin_required" : "role_required");
    if (policy.tier) codes.add("tier_required");
    if (policy.keys) codes.add("api_key_invalid");
    if (policy.resource && operation.method !== "GET") codes.add("role_required");
  }
  if (operation.method !== "GET") codes.add("csrf");
  if (paramNames(operation.path).length > 0) codes.add("not_found");
  if (operation.body) codes.add("payload_too_large").add("unsupported_media_type");
  if (takesIdempotencyKey(operation)) codes.add("idempotency_in_progress").add("idempotency_key_reused");
  return [...codes.add("unavailable")];
}
