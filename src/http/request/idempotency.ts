import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import type { Caller } from "../../domain/caller.ts";
import { type OnceReply, runOnce } from "../../domain/idempotency.ts";
import { InvalidRequest } from "../../errors/app-error.ts";
import type { Operation } from "../operation.ts";

/** Runs an operation; a POST with an Idempotency-Key runs once per caller and key. */
export async function replyOnce(
  app: App,
  operation: Operation,
  request: FastifyRequest,
  caller: Caller,
  run: (caller: Caller) => Promise<unknown>,
): Promise<OnceReply> {
  const { status, showsSecret } = operation;
  const key = keyOf(operation, request, caller);
  if (!key) return { status, reply: await run(caller), isReplay: false };
  return runOnce(app, caller, { key, hash: hashOf(operation, request, caller), status, showsSecret }, run);
}

function keyOf(operation: Operation, request: FastifyRequest, caller: Caller): string | undefined {
  const key = request.headers["idempotency-key"];
  if (key === undefined || operation.method !== "POST" || caller.kind === "anyone") return undefined;
  if (typeof key === "string" && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  const msg = "must be 1 to 255 printable ASCII characters";
  throw new InvalidRequest([{ loc: ["header", "idempotency-key"], msg, type: "value_error" }]);
}

function hashOf(operation: Operation, request: FastifyRequest, caller: Caller): Buffer {
  const org_id = "org_id" in caller ? caller.org_id : null;
  const content = JSON.stringify([operation.id, org_id, request.url, request.body ?? null]);
  return createHash("sha256").update(content).digest();
}
