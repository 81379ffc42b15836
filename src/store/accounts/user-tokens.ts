import type { Insertable, Selectable } from "kysely";
import type { Db } from "../open-store.ts";
import type { Database } from "../tables.ts";

export type TokenRow = Selectable<Database["user_tokens"]>;
export type Purpose = TokenRow["purpose"];

export async function insertUserToken(db: Db, token: Insertable<Database["user_tokens"]>): Promise<void> {
  await db.insertInto("user_tokens").values(token).execute();
}

/**
 * Consumes a token and voids the other tokens of the same purpose. Of several concurrent requests only one gets the
 * row. Returns undefined for unknown, used and expired tokens.
 */
export async function consumeUserToken(
  db: Db,
  token_hash: Buffer,
  purpose: Purpose,
  now: Date,
): Promise<TokenRow | undefined> {
  const token = await db
    .updateTable("user_tokens")
    .set({ used_at: now })
    .where("token_hash", "=", token_hash)
    .where("purpose", "=", purpose)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
  if (token) await voidUserTokens(db, token.user_id, purpose, token_hash);
  return token;
}

export async function findUserToken(
  db: Db,
  token_hash: Buffer,
  purpose: Purpose,
): Promise<TokenRow | undefined> {
  return db
    .selectFrom("user_tokens")
    .selectAll()
    .where("token_hash", "=", token_hash)
    .where("purpose", "=", purpose)
    .executeTakeFirst();
}

/** Voids the other tokens of a user. A second link that verifies the same address counts as used, which is a success. */
async function voidUserTokens(db: Db, user_id: string, purpose: Purpose, keep: Buffer): Promise<void> {
  if (purpose === "verify_email") {
    await db
      .updateTable("user_tokens")
      .set((query) => ({ used_at: query.ref("created_at") }))
      .where("user_id", "=", user_id)
      .where("purpose", "=", purpose)
      .where("used_at", "is", null)
      .execute();
    return;
  }
  await db
    .deleteFrom("user_tokens")
    .where("user_id", "=", user_id)
    .where("purpose", "=", purpose)
    .where("token_hash", "!=", keep)
    .where("used_at", "is", null)
    .execute();
}
