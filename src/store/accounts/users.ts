import type { Insertable, Selectable } from "kysely";
import type { Db } from "../open-store.ts";
import type { Database } from "../tables.ts";

export type UserRow = Selectable<Database["users"]>;

/** The form in which e-mail addresses are compared. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** Adds a user, or returns undefined when the address already has an account. */
export async function insertUser(db: Db, user: Insertable<Database["users"]>): Promise<UserRow | undefined> {
  return db
    .insertInto("users")
    .values(user)
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db.selectFrom("users").selectAll().where("email_key", "=", emailKey(email)).executeTakeFirst();
}

export async function getUser(db: Db, user_id: string): Promise<UserRow> {
  return db.selectFrom("users").selectAll().where("id", "=", user_id).executeTakeFirstOrThrow();
}

/** Locks the user until the transaction ends. */
export async function lockUser(db: Db, user_id: string): Promise<UserRow> {
  return db
    .selectFrom("users")
    .selectAll()
    .where("id", "=", user_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

export async function updateUser(
  db: Db,
  user_id: string,
  change: Partial<
    Pick<UserRow, "name" | "theme" | "is_verified" | "status" | "active_org_id" | "password_hash">
  >,
): Promise<UserRow> {
  return db
    .updateTable("users")
    .set(change)
    .where("id", "=", user_id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Empties the row of a person. What others did with them, and the audit log, refer to it. */
export async function eraseUser(db: Db, user_id: string, now: Date): Promise<void> {
  const email = `${user_id}@deleted.invalid`;
  await db
    .updateTable("users")
    .set({
      email,
      email_key: email,
      name: "Deleted user",
      password_hash: "",
      is_verified: false,
      // Only active users have sessions.
      status: "rejected",
      active_org_id: null,
      deleted_at: now,
    })
    .where("id", "=", user_id)
    .execute();
  await db.deleteFrom("sessions").where("user_id", "=", user_id).execute();
  await db.deleteFrom("user_tokens").where("user_id", "=", user_id).execute();
}

export async function countUsers(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom("users")
    .select((query) => query.fn.countAll<string>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(total);
}
