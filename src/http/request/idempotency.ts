import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { type App, inSeconds } from "../../app.ts";
import type { Caller } from "../../domain/caller.ts";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import {
  completeKey,
  findKey,
  type Reservation,
  releaseKey,
  reserveKey,
} from "../../store/orgs/idempotency.ts";
import type { Operation } from "../operation.ts";

export type Answer = { status: number; reply: unknown; isReplay: boolean };

/** A request that is still at work after this has died; its key may be tried again. */
const reservationSeconds = 30;

/**
 * Runs a POST once for each Idempotency-Key of a caller. The answer is kept in the transaction of the effect, so a
 * crash leaves both or neither; a repeat gets the kept answer, and the same key for another request is refused.
 */
export async function replyOnce(
  app: App,
  operation: Operation,
  request: FastifyRequest,
  caller: Caller,
  run: (caller: Caller) => Promise<unknown>,
): Promise<Answer> {
  const key = keyOf(operation, request, caller);
  if (!key) return { status: operation.status, reply: await run(caller), isReplay: false };
  const slot: Reservation = {
    principal: principalOf(caller),
    key,
    request_hash: hashOf(operation, request, caller),
    reserved_until: inSeconds(app, reservationSeconds),
  };
  if (!(await reserveKey(app.db, slot, app.clock.now()))) return replay(app, operation, slot);

  let isKept = false;
  const saveReply = async (tx: App["db"], reply: unknown) => {
    const kept = operation.showsSecret ? null : (reply ?? null);
    const sealed_reply = app.vault.seal(JSON.stringify(kept), contextOf(slot));
    // A request so slow that a repeat took its key over must leave the effect to that one.
    if (!(await completeKey(tx, slot, { status: operation.status, sealed_reply }))) throw inProgress();
    isKept = true;
  };
  try {
    const reply = await run({ ...caller, context: { ...caller.context, saveReply } });
    if (!isKept) await saveReply(app.db, reply);
    return { status: operation.status, reply, isReplay: false };
  } catch (error) {
    await releaseKey(app.db, slot).catch(() => undefined);
    throw error;
  }
}

async function replay(app: App, operation: Operation, slot: Reservation): Promise<Answer> {
  const kept = await findKey(app.db, slot.principal, slot.key);
  if (kept && !kept.request_hash.equals(slot.request_hash)) {
    throw new AppError("idempotency_key_reused", "This Idempotency-Key was used for another request.");
  }
  if (!kept?.sealed_reply || kept.status === null) throw inProgress();
  if (operation.showsSecret) {
    throw new AppError(
      "shown_once",
      "This was carried out. The secret that it made was shown then, and only then.",
    );
  }
  const reply = JSON.parse(app.vault.open(kept.sealed_reply, contextOf(slot)).toString("utf8"));
  return { status: kept.status, reply, isReplay: true };
}

function inProgress(): AppError {
  const message = "The first request with this Idempotency-Key is still at work.";
  return new AppError("idempotency_in_progress", message, { retryAfterSeconds: 1 });
}

function keyOf(operation: Operation, request: FastifyRequest, caller: Caller): string | undefined {
  const key = request.headers["idempotency-key"];
  if (key === undefined || operation.method !== "POST" || caller.kind === "anyone") return undefined;
  if (typeof key === "string" && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  const msg = "must be 1 to 255 printable ASCII characters";
  throw new InvalidRequest([{ loc: ["header", "idempotency-key"], msg, type: "value_error" }]);
}

function principalOf(caller: Caller): string {
  if (caller.kind === "staff") return `staff:${caller.staff_id}`;
  if (caller.kind === "api_key") return `key:${caller.key_id}`;
  return caller.kind === "user" ? `user:${caller.user_id}` : caller.kind;
}

function hashOf(operation: Operation, request: FastifyRequest, caller: Caller): Buffer {
  const org_id = "org_id" in caller ? caller.org_id : null;
  const content = JSON.stringify([operation.id, org_id, request.url, request.body ?? null]);
  return createHash("sha256").update(content).digest();
}

function contextOf(slot: Reservation): string {
  return `idempotency:${slot.principal}:${slot.key}`;
}
