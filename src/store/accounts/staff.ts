import type { Insertable, Selectable } from "kysely";
import type { Db } from "../open-store.ts";
import type { Database } from "../tables.ts";
import { emailKey } from "./users.ts";

export type StaffRow = Selectable<Database["staff"]>;

/** Adds a staff account, or returns undefined when the address already has one. */
export async function insertStaff(
  db: Db,
  staff: Insertable<Database["staff"]>,
): Promise<StaffRow | undefined> {
  return db
    .insertInto("staff")
    .values(staff)
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function findStaffByEmail(db: Db, email: string): Promise<StaffRow | undefined> {
  return db.selectFrom("staff").selectAll().where("email_key", "=", emailKey(email)).executeTakeFirst();
}

export async function listStaffEmails(db: Db): Promise<string[]> {
  const rows = await db.selectFrom("staff").select("email").orderBy("created_at").execute();
  return rows.map((row) => row.email);
}

export async function insertStaffSession(
  db: Db,
  session: Insertable<Database["staff_sessions"]>,
): Promise<void> {
  await db.insertInto("staff_sessions").values(session).execute();
}

/** The staff account behind a live session. */
export async function findStaffSession(
  db: Db,
  token_hash: Buffer,
  now: Date,
  idleSince: Date,
): Promise<(StaffRow & { session_id: string; last_used_at: Date }) | undefined> {
  return db
    .selectFrom("staff_sessions")
    .innerJoin("staff", "staff.id", "staff_sessions.staff_id")
    .selectAll("staff")
    .select(["staff_sessions.id as session_id", "staff_sessions.last_used_at"])
    .where("token_hash", "=", token_hash)
    .where("expires_at", ">", now)
    .where("last_used_at", ">", idleSince)
    .executeTakeFirst();
}

export async function touchStaffSession(db: Db, session_id: string, now: Date): Promise<void> {
  await db.updateTable("staff_sessions").set({ last_used_at: now }).where("id", "=", session_id).execute();
}

export async function deleteStaffSession(db: Db, token_hash: Buffer): Promise<void> {
  await db.deleteFrom("staff_sessions").where("token_hash", "=", token_hash).execute();
}
