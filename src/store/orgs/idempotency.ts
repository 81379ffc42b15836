import { sql } from "kysely";
import type { Db } from "../open-store.ts";

export type IdempotencyRow = {
  request_hash: Buffer;
  reserved_until: Date;
  status: number | null;
  sealed_reply: Buffer | null;
};

/**
 * The reservation of an idempotency key by one request. `reserved_until` distinguishes it from a later reservation of
 * the same key.
 */
export type Reservation = { principal: string; key: string; request_hash: Buffer; reserved_until: Date };

/** Reserves a key for one request. Returns false when another request holds or has used it. */
export async function reserveKey(db: Db, reservation: Reservation, now: Date): Promise<boolean> {
  const reserved = await db
    .insertInto("idempotency_keys")
    .values({ ...reservation, status: null, sealed_reply: null, created_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(["principal", "key"])
        .doUpdateSet({ reserved_until: reservation.reserved_until })
        .where("idempotency_keys.status", "is", null)
        .where("idempotency_keys.reserved_until", "<=", now)
        .where("idempotency_keys.request_hash", "=", reservation.request_hash),
    )
    .returning("key")
    .executeTakeFirst();
  return reserved !== undefined;
}

export async function findKey(db: Db, principal: string, key: string): Promise<IdempotencyRow | undefined> {
  return db
    .selectFrom("idempotency_keys")
    .select(["request_hash", "reserved_until", "status", "sealed_reply"])
    .where("principal", "=", principal)
    .where("key", "=", key)
    .executeTakeFirst();
}

/** Saves the reply, in the transaction of the effect. Returns false when another request has taken the key over. */
export async function completeKey(
  db: Db,
  reservation: Reservation,
  answer: { status: number; sealed_reply: Buffer },
): Promise<boolean> {
  const completed = await db
    .updateTable("idempotency_keys")
    .set(answer)
    .where("principal", "=", reservation.principal)
    .where("key", "=", reservation.key)
    .where("reserved_until", "=", reservation.reserved_until)
    .returning("key")
    .executeTakeFirst();
  return completed !== undefined;
}

/** Releases the key of a request that changed nothing. */
export async function releaseKey(db: Db, reservation: Reservation): Promise<void> {
  await db
    .deleteFrom("idempotency_keys")
    .where("principal", "=", reservation.principal)
    .where("key", "=", reservation.key)
    .where("reserved_until", "=", reservation.reserved_until)
    .where("status", "is", null)
    .execute();
}

/** Adds up the saved replies of a principal that are longer than `minBytes`. */
export async function sumLargeReplies(db: Db, principal: string, minBytes: number): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(octet_length(sealed_reply)), 0) as bytes from idempotency_keys
    where principal = ${principal} and octet_length(sealed_reply) > ${minBytes}`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}
