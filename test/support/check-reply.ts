import { errorStatus } from "../../src/errors/app-error.ts";
import { apiPrefix } from "../../src/http/mount.ts";
import { errorStatusesOf } from "../../src/http/openapi/responses.ts";
import type { Operation } from "../../src/http/operation.ts";
import { operations } from "../../src/http/routes/index.ts";
import { Failure, ValidationFailure } from "../../src/wire/errors.ts";
import type { Reply } from "./client.ts";

/** Throws when a reply does not have the shape of its operation or of an error. */
export function checkReply(method: string, url: string, reply: Reply): void {
  const path = url.split("?")[0] ?? "";
  if (!path.startsWith(apiPrefix) || method === "HEAD" || method === "OPTIONS") return;
  const where = `${method} ${path} → ${reply.status}`;
  if (reply.status >= 400) checkFailure(where, operationFor(method, path), reply);
  else checkSuccess(where, operationFor(method, path), reply);
  if (reply.text.length > maxReplyLength && !operationFor(method, path)?.hasLargeReply)
    throw new Error(`${where}: the reply exceeds 1 MiB, which the description of the operation does not say`);
}

const maxReplyLength = 1024 * 1024;

function checkSuccess(where: string, operation: Operation | undefined, reply: Reply): void {
  if (!operation) throw new Error(`${where}: no operation has this route`);
  if (reply.status === 304) {
    checkUnchanged(where, operation, reply);
    return;
  }
  if (reply.status !== operation.status) throw new Error(`${where}: expected ${operation.status}`);
  if (!operation.reply) {
    if (reply.text !== "") throw new Error(`${where}: expected no body`);
    return;
  }
  const result = operation.reply.safeParse(reply.body);
  if (!result.success) throw new Error(`${where}: the reply has another shape: ${result.error.message}`);
}

function checkUnchanged(where: string, operation: Operation, reply: Reply): void {
  if (operation.method !== "GET" || reply.text !== "") throw new Error(`${where}: not for this operation`);
  if (!reply.headers.etag) throw new Error(`${where}: has no ETag`);
}

/** The pattern of each operation; literal paths take precedence over parameters. */
const patterns = operations
  .toSorted((a, b) => a.path.split("{").length - b.path.split("{").length)
  .map((operation) => ({ operation, pattern: patternOf(operation.path) }));

export function operationFor(method: string, path: string): Operation | undefined {
  return patterns.find(({ operation, pattern }) => operation.method === method && pattern.test(path))
    ?.operation;
}

/** Errors of HTTP itself, which any path can answer and no operation lists. */
const protocolErrors = new Set([
  "bad_request",
  "method_not_allowed",
  "payload_too_large",
  "uri_too_long",
  "unsupported_media_type",
  "internal",
]);

function checkFailure(where: string, operation: Operation | undefined, reply: Reply): void {
  const shape = reply.status === 422 ? ValidationFailure : Failure;
  const result = shape.safeParse(reply.body);
  if (!result.success) throw new Error(`${where}: not the shape of a failure: ${reply.text.slice(0, 300)}`);
  if (reply.status === 422) return;
  const { code } = reply.body as { code: keyof typeof errorStatus };
  if (errorStatus[code] !== reply.status)
    throw new Error(`${where}: the code ${code} belongs to ${errorStatus[code]}`);
  // Operations of staff are not described.
  if (!operation || operation.policy.who === "staff" || protocolErrors.has(code)) return;
  if (errorStatusesOf(operation).has(reply.status)) return;
  throw new Error(`${where}: the description of the operation does not list this status (${code})`);
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${apiPrefix}${path.replace(/\{\w+\}/g, "[^/]+")}$`);
}
