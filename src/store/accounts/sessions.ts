import type { Insertable, Selectable } from "kysely";
import type pg from "pg";
import type { Role, Tier } from "../../wire/primitives.ts";
import type { Db } from "../open-store.ts";
import type { Database } from "../tables.ts";

/** A live session with its user and the org that the user acts for. */
export type SessionRow = {
  session_id: string;
  last_used_at: Date;
  user_id: string;
  email: string;
  name: string;
  org_id: string | null;
  tier: Tier | null;
  role: Role | null;
};

export async function insertSession(db: Db, session: Insertable<Database["sessions"]>): Promise<void> {
  await db.insertInto("sessions").values(session).execute();
}

/** Runs on every request with a cookie, therefore as a prepared statement. */
export async function findSession(
  pool: pg.Pool,
  token_hash: Buffer,
  now: Date,
  idleSince: Date,
): Promise<SessionRow | undefined> {
  const { rows } = await pool.query<SessionRow>({
    name: "find_session",
    text: `select s.id as session_id, s.last_used_at, u.id as user_id, u.email, u.name,
             o.id as org_id, o.tier, m.role
           from sessions s
           join users u on u.id = s.user_id and u.status = 'active'
           left join memberships m on m.user_id = u.id and m.org_id = u.active_org_id
           left join orgs o on o.id = m.org_id
           where s.token_hash = $1 and s.expires_at > $2 and s.last_used_at > $3`,
    values: [token_hash, now, idleSince],
  });
  return rows[0];
}

export async function touchSession(db: Db, session_id: string, now: Date): Promise<void> {
  await db.updateTable("sessions").set({ last_used_at: now }).where("id", "=", session_id).execute();
}

export async function deleteSession(db: Db, token_hash: Buffer): Promise<void> {
  await db.deleteFrom("sessions").where("token_hash", "=", token_hash).execute();
}

/** Ends every session of a user, as a password change requires, except the given one. */
export async function deleteSessionsOf(db: Db, user_id: string, except?: string): Promise<void> {
  let query = db.deleteFrom("sessions").where("user_id", "=", user_id);
  if (except !== undefined) query = query.where("id", "!=", except);
  await query.execute();
}

/** Ends a session of a user; false if they have no such session. */
export async function deleteSessionOf(db: Db, user_id: string, session_id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("sessions")
    .where("user_id", "=", user_id)
    .where("id", "=", session_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Lists the live sessions of a user, the newest first. */
export async function listSessionsOf(
  db: Db,
  user_id: string,
  now: Date,
  idleSince: Date,
): Promise<Selectable<Database["sessions"]>[]> {
  return db
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", user_id)
    .where("expires_at", ">", now)
    .where("last_used_at", ">", idleSince)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}
