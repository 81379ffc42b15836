import type { Role } from "../../wire/primitives.ts";
import type { Db } from "../open-store.ts";

export type MemberRow = { user_id: string; email: string; name: string; role: Role; joined_at: Date };

export async function insertMember(
  db: Db,
  org_id: string,
  member: { user_id: string; role: Role; joined_at: Date },
): Promise<void> {
  await db
    .insertInto("memberships")
    .values({ org_id, ...member })
    .execute();
}

export async function listMembers(db: Db, org_id: string): Promise<MemberRow[]> {
  return selectMembers(db, org_id).orderBy("joined_at").orderBy("user_id").execute();
}

export async function findMember(db: Db, org_id: string, user_id: string): Promise<MemberRow | undefined> {
  return selectMembers(db, org_id).where("user_id", "=", user_id).executeTakeFirst();
}

export async function findMemberByEmail(
  db: Db,
  org_id: string,
  email_key: string,
): Promise<MemberRow | undefined> {
  return selectMembers(db, org_id).where("users.email_key", "=", email_key).executeTakeFirst();
}

export async function updateMemberRole(db: Db, org_id: string, user_id: string, role: Role): Promise<void> {
  await db
    .updateTable("memberships")
    .set({ role })
    .where("org_id", "=", org_id)
    .where("user_id", "=", user_id)
    .execute();
}

/** Removes a member. If the org was their active one, their oldest other org becomes active. */
export async function deleteMember(db: Db, org_id: string, user_id: string): Promise<void> {
  await db.deleteFrom("memberships").where("org_id", "=", org_id).where("user_id", "=", user_id).execute();
  await db
    .updateTable("users")
    .set((query) => ({
      active_org_id: query
        .selectFrom("memberships")
        .select("memberships.org_id")
        .where("memberships.user_id", "=", user_id)
        .orderBy("memberships.joined_at")
        .limit(1),
    }))
    .where("id", "=", user_id)
    .where("active_org_id", "is", null)
    .execute();
}

/** True when an admin of the org has a verified address. */
export async function hasVerifiedAdmin(db: Db, org_id: string): Promise<boolean> {
  const row = await db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select("memberships.user_id")
    .where("org_id", "=", org_id)
    .where("role", "=", "admin")
    .where("users.is_verified", "=", true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function countMembers(db: Db, org_id: string, role?: Role): Promise<number> {
  let query = db
    .selectFrom("memberships")
    .select((count) => count.fn.countAll<string>().as("total"))
    .where("org_id", "=", org_id);
  if (role) query = query.where("role", "=", role);
  const { total } = await query.executeTakeFirstOrThrow();
  return Number(total);
}

function selectMembers(db: Db, org_id: string) {
  return db
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["memberships.user_id", "users.email", "users.name", "memberships.role", "memberships.joined_at"])
    .where("memberships.org_id", "=", org_id);
}
