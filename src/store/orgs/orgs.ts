import type { Insertable, Selectable } from "kysely";
import type { Role } from "../../wire/primitives.ts";
import type { Db } from "../open-store.ts";
import type { Database } from "../tables.ts";

export type OrgRow = Selectable<Database["orgs"]>;
export type OrgWithRole = OrgRow & { role: Role };

export async function insertOrg(db: Db, org: Insertable<Database["orgs"]>): Promise<OrgRow> {
  return db.insertInto("orgs").values(org).returningAll().executeTakeFirstOrThrow();
}

/** The orgs that a user belongs to, oldest membership first. */
export async function listOrgsOf(db: Db, user_id: string): Promise<OrgWithRole[]> {
  return db
    .selectFrom("orgs")
    .innerJoin("memberships", "memberships.org_id", "orgs.id")
    .selectAll("orgs")
    .select("memberships.role")
    .where("memberships.user_id", "=", user_id)
    .orderBy("memberships.joined_at")
    .orderBy("orgs.id")
    .execute();
}

/** An org as one of its members sees it; undefined for everybody else. */
export async function findOrgOf(db: Db, org_id: string, user_id: string): Promise<OrgWithRole | undefined> {
  return db
    .selectFrom("orgs")
    .innerJoin("memberships", "memberships.org_id", "orgs.id")
    .selectAll("orgs")
    .select("memberships.role")
    .where("orgs.id", "=", org_id)
    .where("memberships.user_id", "=", user_id)
    .executeTakeFirst();
}

export async function findOrg(db: Db, org_id: string): Promise<OrgRow | undefined> {
  return db.selectFrom("orgs").selectAll().where("id", "=", org_id).executeTakeFirst();
}

/** Holds the org until the transaction ends, so that counts and roles checked under it stay true. */
export async function lockOrg(db: Db, org_id: string): Promise<OrgRow> {
  return db
    .selectFrom("orgs")
    .selectAll()
    .where("id", "=", org_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

export type OrgChange = Partial<
  Pick<OrgRow, "name" | "tier" | "business" | "feature_flags" | "polling_interval_seconds">
>;

export async function updateOrg(db: Db, org_id: string, change: OrgChange): Promise<OrgRow> {
  const { business, feature_flags, ...plain } = change;
  return db
    .updateTable("orgs")
    .set({
      ...plain,
      ...(business && { business: JSON.stringify(business) }),
      ...(feature_flags && { feature_flags: JSON.stringify(feature_flags) }),
    })
    .where("id", "=", org_id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Every org with its number of members, newest first; for platform staff and the operator. */
export async function listOrgsUnscoped(
  db: Db,
  page: { limit: number; offset: number },
): Promise<(OrgRow & { members: number })[]> {
  const rows = await db
    .selectFrom("orgs")
    .selectAll("orgs")
    .select((query) =>
      query
        .selectFrom("memberships")
        .select((inner) => inner.fn.countAll<string>().as("total"))
        .whereRef("memberships.org_id", "=", "orgs.id")
        .as("members"),
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => ({ ...row, members: Number(row.members) }));
}

export async function countOrgs(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom("orgs")
    .select((query) => query.fn.countAll<string>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(total);
}
