import type { Db } from "./open.ts";

export type IdempotencyRow = {
  request_hash: Buffer;
  reserved_until: Date;
  status: number | null;
  sealed_reply: Buffer | null;
};

/** Reserves a key for one request; false when another request holds or has used it. */
export async function reserveKey(
  db: Db,
  slot: { principal: string; key: string; request_hash: Buffer },
  now: Date,
  until: Date,
): Promise<boolean> {
  const reserved = await db
    .insertInto("idempotency_keys")
    .values({ ...slot, reserved_until: until, status: null, sealed_reply: null, created_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(["principal", "key"])
        .doUpdateSet({ reserved_until: until })
        .where("idempotency_keys.status", "is", null)
        .where("idempotency_keys.reserved_until", "<=", now)
        .where("idempotency_keys.request_hash", "=", slot.request_hash),
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

/** Keeps the answer. Called in the transaction of the effect, so that both are there or neither is. */
export async function completeKey(
  db: Db,
  principal: string,
  key: string,
  answer: { status: number; sealed_reply: Buffer },
): Promise<void> {
  await db
    .updateTable("idempotency_keys")
    .set(answer)
    .where("principal", "=", principal)
    .where("key", "=", key)
    .execute();
}

/** Gives a key back after a request that changed nothing. */
export async function releaseKey(db: Db, principal: string, key: string): Promise<void> {
  await db
    .deleteFrom("idempotency_keys")
    .where("principal", "=", principal)
    .where("key", "=", key)
    .where("status", "is", null)
    .execute();
}
