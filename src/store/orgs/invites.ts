import { type Insertable, type Selectable, sql } from "kysely";
import type { Db } from "../open-store.ts";
import type { Database } from "../tables.ts";

export type InviteRow = Omit<Selectable<Database["invites"]>, "invited_by" | "token_hash"> & {
  /** The inviter's name. */
  invited_by: string;
  org_name: string;
};

/** Inserts an invite. Returns undefined when one to the same address is pending. */
export async function insertInvite(
  db: Db,
  invite: Insertable<Database["invites"]>,
): Promise<InviteRow | undefined> {
  const inserted = await db
    .insertInto("invites")
    .values(invite)
    .onConflict((conflict) =>
      // A literal, because a parameter of a prepared statement matches no partial index.
      conflict.columns(["org_id", "email_key"]).where("status", "=", sql.lit("pending")).doNothing(),
    )
    .returning("id")
    .executeTakeFirst();
  return inserted && selectInvites(db).where("invites.id", "=", inserted.id).executeTakeFirstOrThrow();
}

/** Lists the invites that can still be accepted, newest first. */
export async function listPendingInvites(db: Db, org_id: string, now: Date): Promise<InviteRow[]> {
  return selectInvites(db)
    .where("invites.org_id", "=", org_id)
    .where("invites.status", "=", "pending")
    .where("invites.expires_at", ">", now)
    .orderBy("invites.created_at", "desc")
    .orderBy("invites.id", "desc")
    .execute();
}

/** Finds an invite by its token, which authorises the caller; therefore without an org. */
export async function findInviteByToken(db: Db, token_hash: Buffer): Promise<InviteRow | undefined> {
  return selectInvites(db).where("invites.token_hash", "=", token_hash).executeTakeFirst();
}

/** Accepts or revokes a pending invite. Of several concurrent calls only one returns true. */
export async function closeInvite(
  db: Db,
  org_id: string,
  invite_id: string,
  status: "accepted" | "revoked",
): Promise<boolean> {
  const closed = await db
    .updateTable("invites")
    .set({ status })
    .where("org_id", "=", org_id)
    .where("id", "=", invite_id)
    .where("status", "=", "pending")
    .returning("id")
    .executeTakeFirst();
  return closed !== undefined;
}

/** Revokes expired invites, so that their addresses can be invited again. */
export async function revokeExpiredInvites(db: Db, org_id: string, now: Date): Promise<void> {
  await db
    .updateTable("invites")
    .set({ status: "revoked" })
    .where("org_id", "=", org_id)
    .where("status", "=", "pending")
    .where("expires_at", "<=", now)
    .execute();
}

function selectInvites(db: Db) {
  return db
    .selectFrom("invites")
    .innerJoin("users", "users.id", "invites.invited_by")
    .innerJoin("orgs", "orgs.id", "invites.org_id")
    .select([
      "invites.id",
      "invites.org_id",
      "invites.email",
      "invites.email_key",
      "invites.role",
      "invites.status",
      "invites.created_at",
      "invites.expires_at",
      "users.name as invited_by",
      "orgs.name as org_name",
    ]);
}
