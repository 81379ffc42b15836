import { type App, inSeconds } from "../app.ts";
import { AppError } from "../errors/app-error.ts";
import {
  completeKey,
  findKey,
  type Reservation,
  releaseKey,
  reserveKey,
  sumLargeReplies,
} from "../store/orgs/idempotency.ts";
import { sealedContext } from "../store/secrets/sealed-places.ts";
import type { Caller } from "./caller.ts";

/** A request with an Idempotency-Key. */
export type KeyedRequest = {
  key: string;
  /** The hash of everything that makes two requests the same. */
  hash: Buffer;
  /** The status of a successful reply. */
  status: number;
  /** True if the reply contains a secret that is shown once: the stored reply omits it. */
  showsSecret: boolean;
};

export type OnceReply = { status: number; reply: unknown; isReplay: boolean };

/** A request that is still running after this time is considered dead; its key may be used again. */
const reservationSeconds = 30;

const largeReplyBytes = 64 * 1024;
/** Replies are kept for a day. */
const maxSavedBytes = 32 * 1024 * 1024;

/**
 * Runs a request once per caller and key. The reply is stored in the transaction of the effect, so a crash leaves both or
 * neither. A repeated request gets the stored reply; the same key with another request is rejected.
 */
export async function runOnce(
  app: App,
  caller: Caller,
  request: KeyedRequest,
  run: (caller: Caller) => Promise<unknown>,
): Promise<OnceReply> {
  const { status, showsSecret } = request;
  const slot = slotOf(app, caller, request);
  if (!(await reserveKey(app.db, slot, app.clock.now()))) return replay(app, slot, showsSecret);

  let isStored = false;
  const saveReply = async (tx: App["db"], reply: unknown) => {
    const text = JSON.stringify(showsSecret ? null : (reply ?? null));
    await requireReplyBudget(tx, slot, text.length);
    const sealed_reply = app.vault.seal(text, contextOf(slot));
    // If a repeated request has taken over the key, the effect belongs to that request.
    if (!(await completeKey(tx, slot, { status, sealed_reply }))) throw inProgress();
    isStored = true;
  };
  try {
    const reply = await run({ ...caller, context: { ...caller.context, saveReply } });
    if (!isStored) await saveReply(app.db, reply);
    return { status, reply, isReplay: false };
  } catch (error) {
    await releaseKey(app.db, slot).catch(() => undefined);
    throw error;
  }
}

/** Rejects a long reply when the long ones of the caller would be too many: a short request can have one of megabytes. */
async function requireReplyBudget(db: App["db"], { principal }: Reservation, length: number): Promise<void> {
  if (length <= largeReplyBytes) return;
  const saved = await sumLargeReplies(db, principal, largeReplyBytes);
  if (saved + length <= maxSavedBytes) return;
  const message =
    "The long replies that are kept for your requests with an Idempotency-Key would exceed 32 MB. Nothing was changed: send the " +
    "request without the header, or wait until the others are a day old.";
  throw new AppError("org_busy", message, { retryAfterSeconds: 3_600 });
}

function slotOf(app: App, caller: Caller, { key, hash }: KeyedRequest): Reservation {
  const reserved_until = inSeconds(app, reservationSeconds);
  return { principal: principalOf(caller), key, request_hash: hash, reserved_until };
}

async function replay(app: App, slot: Reservation, showsSecret: boolean): Promise<OnceReply> {
  const stored = await findKey(app.db, slot.principal, slot.key);
  if (stored && !stored.request_hash.equals(slot.request_hash)) {
    throw new AppError(
      "idempotency_key_reused",
      "This Idempotency-Key was used for another request. Send a new key.",
    );
  }
  if (!stored?.sealed_reply || stored.status === null) throw inProgress();
  if (showsSecret) {
    throw new AppError(
      "shown_once",
      "This request was already carried out. Its secret was shown in the first response only.",
    );
  }
  const opened = await app.vault.open(stored.sealed_reply, contextOf(slot));
  const reply = JSON.parse(opened.toString("utf8"));
  return { status: stored.status, reply, isReplay: true };
}

function inProgress(): AppError {
  const message = "The first request with this Idempotency-Key is still in progress. Try again later.";
  return new AppError("idempotency_in_progress", message, { retryAfterSeconds: 1 });
}

function principalOf(caller: Caller): string {
  if (caller.kind === "staff") return `staff:${caller.staff_id}`;
  if (caller.kind === "api_key") return `key:${caller.key_id}`;
  return caller.kind === "user" ? `user:${caller.user_id}` : caller.kind;
}

function contextOf(slot: Reservation): string {
  return sealedContext.reply(slot.principal, slot.key);
}
